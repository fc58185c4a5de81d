# SPDX-License-Identifier: MIT
# ./dev release fills in version and checksum. `url` is no address yet: packaging/README.md.
class Kerntime < Formula
  desc "Measures how long a kernel or copy takes on any compute API"
  homepage "https://kerntime.invalid/"
  url "https://kerntime.invalid/kerntime-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "opencl-headers" => :build
  depends_on "shaderc" => :build
  depends_on "vulkan-headers" => :build
  depends_on "jansson"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kerntime --version")
    system bin/"kerntime", "bench", "fill", "--size", "4096", "-d", "sim:0"
    (testpath/"test.c").write <<~C
      #include <kerntime/kerntime.h>
      int main(void) { return kt_version()[0] == '\\0'; }
    C
    system ENV.cc, "test.c", "-I#{include}", "-L#{lib}", "-lkerntime", "-o", "test"
    system "./test"
  end
end
