# SPDX-License-Identifier: MIT
"""level_zero.py KERNTIME PROGRAM STUB: what a trace counts and times of programs of Level Zero."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

KERNTIME, PROGRAM, STUB = sys.argv[1:4]
TICK_NS = 1e9 / 19200000


class Traces(unittest.TestCase):
    def run_it(self, words, stub="", options=(), code=0, misuse="none", **variables):
        with tempfile.TemporaryDirectory() as folder:
            answer, counts = os.path.join(folder, "trace.json"), os.path.join(folder, "counts")
            environment = {name: value for name, value in os.environ.items() if not name.startswith("ZE_")}
            environment.update(ZE_ENABLE_ALT_DRIVERS=STUB, KT_STUB_LEVEL_ZERO=stub or "kernel_ns=10000",
                               KT_STUB_LEVEL_ZERO_COUNTS=counts, **variables)
            done = subprocess.run([KERNTIME, "trace", "-b", "level_zero", *options, "--json", answer, "--", PROGRAM,
                                   *words.split()], env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stderr)
            with open(answer, encoding="utf-8") as file:
                self.document = json.load(file)["runs"][0]
            self.output, self.counts = done.stdout, {}
            if os.path.exists(counts):
                with open(counts, encoding="utf-8") as file:
                    report = file.read()
                self.assertNotRegex(report, rf"misuse \d+ (?!.*{misuse})")
                self.counts = dict(line.split() for line in report.splitlines() if line.startswith("ze"))
        return {row["name"]: row for row in self.document["rows"]}

    def check(self, row, calls, timed=None, **untimed):
        self.assertEqual((row["calls"], row["n"]), (calls, calls if timed is None else timed), row)
        self.assertEqual({name.replace(" ", "_"): count for name, count in row["untimed"].items()}, untimed)

    def test_immediate(self):
        rows = self.run_it("immediate kernel 300 up 3 down 2 across 4 fill 5 finish drop", "kernel_ns=10000,copy_ns=2500")
        self.check(rows["fill"], 300 if rows["fill"]["kind"] == "kernel" else 5)
        for name, calls in (("host to device", 3), ("device to host", 2), ("device to device", 4)):
            self.check(rows[name], calls)
            self.assertEqual(rows[name]["bytes"], 4096 * calls)
            self.assertAlmostEqual(rows[name]["min_ns"], 2500, delta=TICK_NS)
        kernel, = (row for row in self.document["rows"] if row["kind"] == "kernel")
        self.check(kernel, 300)
        self.assertEqual((kernel["min_ns"], kernel["max_ns"], kernel["total_ns"]), (10000, 10000, 3000000))
        self.assertEqual(self.document["in_flight"], 0)

    def kernels(self, *arguments, **options):
        self.run_it(*arguments, **options)
        return next((row for row in self.document["rows"] if row["kind"] == "kernel"), None)

    def test_more_than_a_ring(self):
        self.check(self.kernels("immediate kernel 5000 finish drop"), 5000)

    def test_synchronous(self):
        self.check(self.kernels("immediate-sync kernel 7 kill", code=137), 7)
        self.check(self.kernels("list-sync kernel 7 close execute kill", code=137), 7)

    def test_lists(self):
        words = "list kernel 70 up 1 close execute finish execute finish execute finish"
        self.check(self.kernels(words + " drop"), 210)
        self.check(self.kernels(words + " reset-list kernel 5 close execute finish drop"), 215)
        self.check(self.kernels(words + " leave"), 210)

    def test_lists_again_before_they_are_read(self):
        """One event cannot hold two times: the earlier ones are counted."""
        self.check(self.kernels("list kernel 3 close execute execute finish drop", misuse="signalled again", stub="poll_ns=1"), 6, 3,
                   overwritten=3)

    def test_fences(self):
        self.check(self.kernels("list kernel 3 close fence fence fence drop"), 9)

    def test_cooperative(self):
        self.check(self.kernels("immediate cooperative 3 finish drop"), 3)

    def test_events_of_the_program(self):
        for kind, answer in (("event", "0x78000004"), ("event-timestamps", "0x0")):
            for begin, end in (("immediate", ""), ("list", "close execute")):
                with self.subTest(kind=kind, begin=begin):
                    once = f"{begin} {kind} kernel 1 {end} wait ask"
                    self.check(self.kernels(once + " reset finish drop"), 1)
                    self.assertEqual(self.output.split(), [answer])
                    self.assertEqual(self.document["in_flight"], 0)
            again = f"immediate {kind} kernel 1 wait reset kernel 1 wait reset kernel 1 wait finish drop"
            self.check(self.kernels(again), 3)

    def test_event_that_its_list_resets(self):
        self.check(self.kernels("list event kernel 1 reset-in-list close execute finish drop"), 1, 0, overwritten=1)
        self.check(self.kernels("list event reset-in-list barrier kernel 1 close execute finish execute finish drop"), 2)

    def test_event_that_ends_before_its_list(self):
        """Only the address sanitizer sees a use of it."""
        self.check(self.kernels("list event kernel 1 close execute finish destroy-event reset-list drop"), 1)

    def test_shared_pool(self):
        """Pools that other processes may open keep their flags."""
        self.check(self.kernels("immediate event-ipc kernel 1 finish drop"), 1, 0, no_timestamps=1)

    def test_wrap(self):
        """A counter of 20 bits ends every 55 ms of the device, in the midst of kernels."""
        rows = self.kernels("immediate kernel 100 finish drop", stub="kernel_bits=20,kernel_ns=5000000")
        self.check(rows, 100)
        self.assertEqual((rows["min_ns"], rows["max_ns"]), (5000000, 5000000))

    def test_busy_times(self):
        for bits in (32, 64):
            with self.subTest(bits=bits):
                self.kernels("immediate kernel 20 finish drop", stub=f"kernel_bits={bits},bits={bits},kernel_ns=10000")
                device, = self.document["devices"]
                self.assertEqual((device["busy_ns"], device["overlap_ns"], device["spans"]), (200000, 0, 20))

    def test_units(self):
        for unit in ("old", "refused", "hz"):
            with self.subTest(unit=unit):
                kernel = self.kernels("immediate kernel 3 finish drop", stub=f"unit={unit},kernel_ns=10000")
                self.assertAlmostEqual(kernel["min_ns"], 10000, delta=30)  # 52 ns in place of 52.08

    def test_bad_timestamps(self):
        for kind in ("zero", "unwritten", "backwards", "backwards,kernel_bits=64"):
            with self.subTest(kind=kind):
                self.check(self.kernels("immediate kernel 4 finish drop", stub=f"timestamps={kind},kernel_ns=10000"), 4, 0,
                           untrusted=4)
        self.check(self.kernels("immediate kernel 4 finish drop", stub="timestamps=error,kernel_ns=10000"), 4, 0, failed=4)
        self.check(self.kernels("immediate kernel 4 finish drop", stub="unit=zero,kernel_ns=10000"), 4, 0, untrusted=4)

    def test_tiles(self):
        kernel = self.kernels("immediate kernel 4 finish drop", stub="tiles=4,kernel_ns=10000")
        self.assertEqual((kernel["calls"], kernel["min_ns"]), (4, 10000))

    def test_driver_that_executes_nothing(self):
        self.check(self.kernels("list kernel 4 close execute finish drop", stub="aub=1"), 4, 0, untrusted=4)

    def test_killed(self):
        self.check(self.kernels("immediate kernel 50 finish kill", code=137), 50)

    def test_loader_that_the_program_closes(self):
        """Its commands in flight are asked for once more at the end of the process."""
        self.run_it("immediate kernel 1 close-loader")

    def test_threads(self):
        self.check(self.kernels("threads 8 drop"), 4000)
        self.assertEqual(self.document["in_flight"], 0)

    def test_fork(self):
        self.check(self.kernels("immediate kernel 50 fork finish drop"), 50)
        self.assertEqual(self.document["in_flight"], 0)

    def test_pause(self):
        self.assertIsNone(self.kernels("list kernel 2 close execute finish drop", options=("--paused",)))

    def test_names(self):
        self.assertIsNone(self.kernels("immediate kernel 5 finish drop", options=("--exclude", "f*")))
        self.check(self.kernels("immediate kernel 5 finish drop", options=("--skip", "1", "--count", "3")), 3)
        self.check(self.kernels("list kernel 2 close execute finish execute finish drop", options=("--skip", "1")), 3)
        self.assertEqual(self.kernels("immediate kernel 5 finish drop", options=("--by-size",))["size"], "1024 / 32")

    def test_long_names(self):
        """Those of SYCL differ at their end alone."""
        long = "_ZTS" + 200 * "x"
        rows = self.run_it(f"immediate named {long}_1 kernel 2 named {long}_2 kernel 3 finish")
        self.check(rows[long + "_1"], 2)
        self.check(rows[long + "_2"], 3)

    def test_nothing_else_changes(self):
        """The program's own calls reach the driver as often as without a tracer, and nothing is left."""
        self.run_it("list kernel 3 close execute finish drop")
        for name, calls in (("zeCommandQueueExecuteCommandLists", "1"), ("zeCommandListAppendLaunchKernel", "3"),
                            ("zeCommandListAppendBarrier", "3")):
            self.assertEqual(self.counts[name], calls)
        for kind in ("EventPool", "Event", "CommandList", "Context"):
            self.assertEqual(self.counts[f"ze{kind}Create"], self.counts[f"ze{kind}Destroy"])

    def test_with_others(self):
        """The loader's own layers."""
        for variables in ({"ZE_ENABLE_TRACING_LAYER": "1"},
                          {"ZE_ENABLE_VALIDATION_LAYER": "1", "ZE_ENABLE_PARAMETER_VALIDATION": "1"}):
            with self.subTest(variables=variables):
                self.check(self.kernels("list kernel 3 up 2 close execute finish execute finish drop", **variables), 6)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
