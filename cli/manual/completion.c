/* SPDX-License-Identifier: MIT */
/* completion.c - writes completions for bash, zsh and fish from the tables of commands and options.
 * A placeholder in the help determines how its word is completed. */
#include "cli/manual/manual.h"

#include <string.h>

/* Writes a help text for single quotes: on one line, with `quote` in place of each quote, and a
 * backslash before each special character. */
static void put_text(FILE *to, const char *text, const char *quote, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs(quote, to);
        else if (*text == '\n')
            fputc(' ', to);
        else
            fprintf(to, "%s%c", strchr(special, *text) ? "\\" : "", *text);
    }
}

static void put_title(FILE *to, const char *shell)
{
    fprintf(
        to,
        "# Completion of kerntime %s for %s, made by the build from the program's own tables.\n\n",
        kt_version(), shell);
}

static void put_commands(FILE *to)
{
    for (const cli_command *c = commands; c->name; c++)
        fprintf(to, "%s%s", c == commands ? "" : " ", c->name);
}

/* Whether a command's operands are another program and its arguments. */
static bool takes_program(const cli_command *c)
{
    return strncmp(c->operands, "PROGRAM", 7) == 0;
}

/* Writes the options of a command that take an argument: "-o --output". */
static void put_options_with_argument(FILE *to, const cli_command *c, const char *between)
{
    const cli_option *o;
    const char *before = "";
    for (size_t i = 0; (o = command_option(c, i)) != NULL; i++) {
        if (!o->argument)
            continue;
        if (o->letter)
            fprintf(to, "%s-%c", before, o->letter);
        fprintf(to, "%s--%s", o->letter ? between : before, o->name);
        before = between;
    }
}

/* --- bash
 * ---------------------------------------------------------------------------------------- */

/* Arguments of compgen for a placeholder. */
static void bash_words(FILE *to, const manual_placeholder *placeholder)
{
    if (!placeholder) {
        fprintf(to, "return ;;\n");
    } else if (placeholder->endings) {
        fprintf(to, "what=(-f -X '!*.@(%s)') && compopt -o filenames -o plusdirs ;;\n",
                placeholder->endings);
    } else if (!placeholder->words) {
        fprintf(to, "what=(-f) && compopt -o filenames -o default ;;\n");
    } else {
        fprintf(to, "what=(-W '");
        manual_put_words(to, placeholder->words, " ");
        fprintf(to, "') ;;\n");
    }
}

/* Behind PROGRAM, words are PROGRAM's. */
static void bash_program(FILE *to, const cli_command *c)
{
    fprintf(to,
            "    if [[ $command == %s ]]; then\n"
            "        local -i at=2 ended=0\n"
            "        while ((at < COMP_CWORD && !ended)); do\n"
            "            case ${COMP_WORDS[at]} in\n"
            "            --) ended=1 at+=1 ;;\n"
            "            ",
            c->name);
    put_options_with_argument(to, c, " | ");
    fprintf(to, ")\n"
                "                [[ ${COMP_WORDS[at + 1]} != = ]] || at+=1\n"
                "                at+=2\n"
                "                ;;\n"
                "            -*) at+=1 ;;\n"
                "            *) break ;;\n"
                "            esac\n"
                "        done\n"
                "        if ((at < COMP_CWORD || (at == COMP_CWORD && ended))) ||\n"
                "            [[ $at == \"$COMP_CWORD\" && $word != -* ]]; then\n"
                "            if declare -F _command_offset >/dev/null; then\n"
                "                _command_offset $at\n"
                "                return\n"
                "            fi\n"
                "            compopt -o filenames -o default\n"
                "            what=(-f)\n"
                "            ((at < COMP_CWORD)) || what=(-c -f)\n"
                "            mapfile -t COMPREPLY < <(compgen \"${what[@]}\" -- \"$word\")\n"
                "            return\n"
                "        fi\n"
                "    fi\n");
}

static void bash_command(FILE *to, const manual *m, const cli_command *c)
{
    const cli_option *o;
    for (size_t i = 0; (o = command_option(c, i)) != NULL; i++) {
        if (!o->argument)
            continue;
        fprintf(to, "    %s:--%s:*", c->name, o->name);
        if (o->letter)
            fprintf(to, " | %s:-%c:*", c->name, o->letter);
        fprintf(to, ") ");
        bash_words(to, manual_find(m, o->argument));
    }
    fprintf(to, "    %s:*:-*) what=(-W '", c->name);
    for (size_t i = 0; (o = command_option(c, i)) != NULL; i++) {
        fprintf(to, "%s--%s", i ? " " : "", o->name);
        if (o->letter)
            fprintf(to, " -%c", o->letter);
    }
    fprintf(to, "') ;;\n    %s:*) ", c->name);
    bash_words(to, manual_find(m, c->operands));
}

void completion_bash(FILE *to, const manual *m)
{
    put_title(to, "bash");
    fprintf(to, "_kerntime()\n{\n"
                "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                "    local what=()\n"
                "    COMPREPLY=()\n"
                "    # The line is taken apart at = as well: --option = value\n"
                "    if [[ $word == = ]]; then\n"
                "        word=\n"
                "    elif [[ $before == = ]]; then\n"
                "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
                "    fi\n"
                "    local command=${COMP_WORDS[1]}\n"
                "    ((COMP_CWORD > 1)) || command=\n");
    for (const cli_command *c = commands; c->name; c++)
        if (takes_program(c))
            bash_program(to, c);
    fprintf(to, "    case $command:$before:$word in\n"
                "    :*) what=(-W '");
    put_commands(to);
    fprintf(to, " help --help --version') ;;\n    help:*) what=(-W '");
    put_commands(to);
    fprintf(to, "') ;;\n");
    for (const cli_command *c = commands; c->name; c++)
        bash_command(to, m, c);
    fprintf(
        to,
        "    *) return ;;\n"
        "    esac\n"
        "    mapfile -t COMPREPLY < <(shopt -s extglob && compgen \"${what[@]}\" -- \"$word\")\n"
        "}\n\ncomplete -F _kerntime kerntime\n");
}

/* --- zsh
 * ----------------------------------------------------------------------------------------- */

static void zsh_text(FILE *to, const char *text)
{
    put_text(to, text, "'\\''", "[]\\");
}

/* Writes ":description:action". */
static void zsh_words(FILE *to, const manual *m, const char *name)
{
    const manual_placeholder *placeholder = manual_find(m, name);
    fprintf(to, ":");
    put_text(to, name, "'\\''", ":");
    fprintf(to, ":");
    if (!placeholder) {
        fprintf(to, " ");
    } else if (placeholder->endings) {
        fprintf(to, "_files -g \"*.(%s)\"", placeholder->endings);
    } else if (!placeholder->words) {
        fprintf(to, "_files");
    } else {
        fprintf(to, "(");
        manual_put_words(to, placeholder->words, " ");
        fprintf(to, ")");
    }
}

static void zsh_option(FILE *to, const manual *m, const cli_option *o)
{
    const manual_placeholder *placeholder = manual_find(m, o->argument);
    if (placeholder && placeholder->repeated)
        fprintf(to, "            '*'");
    else if (o->letter)
        fprintf(to, "            '(-%c --%s)'", o->letter, o->name);
    else
        fprintf(to, "            ");
    if (o->letter)
        fprintf(to, "{-%c%s,--%s%s}'[", o->letter, o->argument ? "+" : "", o->name,
                o->argument ? "=" : "");
    else
        fprintf(to, "'--%s%s[", o->name, o->argument ? "=" : "");
    zsh_text(to, o->help);
    fprintf(to, "]");
    if (o->argument)
        zsh_words(to, m, o->argument);
    fprintf(to, "' \\\n");
}

void completion_zsh(FILE *to, const manual *m)
{
    /* Locals must not be called `commands`: this is the table of programs that _normal looks into. */
    fprintf(to, "#compdef kerntime\n");
    put_title(to, "zsh");
    fprintf(to, "_kerntime()\n{\n"
                "    local curcontext=$curcontext state line\n"
                "    typeset -A opt_args\n"
                "    local -a names=(\n");
    for (const cli_command *c = commands; c->name; c++) {
        fprintf(to, "        '%s:", c->name);
        put_text(to, c->summary, "'\\''", "\\");
        fprintf(to, "'\n");
    }
    fprintf(
        to,
        "        'help:Shows the help of a command or explains a word.'\n"
        "    )\n"
        "    _arguments -C '(- *)'{-h,--help}'[the help]' '(- *)'{-V,--version}'[the version]' \\\n"
        "        '1:command:->command' '*::argument:->argument' && return\n"
        "    case $state:$words[1] in\n"
        "    command:* | argument:help) _describe command names ;;\n");
    for (const cli_command *c = commands; c->name; c++) {
        fprintf(to, "    argument:%s)\n        _arguments -s%s \\\n", c->name,
                takes_program(c) ? " -S" : "");
        const cli_option *o;
        for (size_t i = 0; (o = command_option(c, i)) != NULL; i++)
            zsh_option(to, m, o);
        fprintf(to, "            ");
        if (takes_program(c)) {
            fprintf(to, "'(-)1:PROGRAM: _command_names -e' '*::ARG: _normal' ");
        } else if (*c->operands) {
            fprintf(to, "'*");
            zsh_words(to, m, c->operands);
            fprintf(to, "' ");
        }
        fprintf(to, ";;\n");
    }
    fprintf(to, "    esac\n}\n\n_kerntime \"$@\"\n");
}

/* --- fish
 * ---------------------------------------------------------------------------------------- */

/* Begins a line that applies after the command `after`, or before any command. */
static void fish_line(FILE *to, const char *after)
{
    if (after)
        fprintf(to, "complete -c kerntime -n '__fish_seen_subcommand_from %s'", after);
    else
        fprintf(to, "complete -c kerntime -n __fish_use_subcommand");
}

/* Our own options are offered before PROGRAM. */
static void fish_program(FILE *to, const cli_command *c)
{
    fprintf(to,
            "function __kerntime_%s_before_program\n"
            "    set -l words (commandline -opc)\n"
            "    __fish_seen_subcommand_from %s; or return 1\n"
            "    set -e words[1..2]\n"
            "    while set -q words[1]\n"
            "        switch $words[1]\n"
            "            case ",
            c->name, c->name);
    put_options_with_argument(to, c, " ");
    fprintf(to,
            "\n"
            "                set -e words[1]\n"
            "                set -q words[1]; or return 0\n"
            "            case --\n"
            "                return 1\n"
            "            case '-*'\n"
            "            case '*'\n"
            "                return 1\n"
            "        end\n"
            "        set -e words[1]\n"
            "    end\n"
            "end\n"
            "complete -c kerntime -n '__fish_seen_subcommand_from %s' "
            "-a '(__fish_complete_subcommand --fcs-skip=2 ",
            c->name);
    put_options_with_argument(to, c, " ");
    fprintf(to, ")'\n");
}

static void fish_text(FILE *to, const char *text)
{
    fprintf(to, " -d '");
    put_text(to, text, "\\'", "\\");
    fprintf(to, "'\n");
}

static void fish_words(FILE *to, const char *const *words)
{
    fprintf(to, " -a '");
    manual_put_words(to, words, " ");
    fprintf(to, "'");
}

static void fish_option(FILE *to, const manual *m, const cli_command *c, const cli_option *o)
{
    const manual_placeholder *placeholder = manual_find(m, o->argument);
    if (takes_program(c))
        fprintf(to,
                "complete -c kerntime -n '__kerntime_%s_before_program; and "
                "__fish_seen_subcommand_from %s'",
                c->name, c->name);
    else
        fish_line(to, c->name);
    if (o->letter)
        fprintf(to, " -s %c", o->letter);
    fprintf(to, " -l %s", o->name);
    if (placeholder && !placeholder->words)
        fprintf(to, " -r -F");
    else if (o->argument)
        fprintf(to, " -x");
    if (placeholder && placeholder->words)
        fish_words(to, placeholder->words);
    fish_text(to, o->help);
}

void completion_fish(FILE *to, const manual *m)
{
    put_title(to, "fish");
    fprintf(to, "complete -c kerntime -f\n");
    fish_line(to, NULL);
    fprintf(to, " -s h -l help -d 'the help'\n");
    fish_line(to, NULL);
    fprintf(to, " -s V -l version -d 'the version'\n");
    fish_line(to, NULL);
    fprintf(to, " -a help -d 'Shows the help of a command or explains a word.'\n");
    for (const cli_command *c = commands; c->name; c++) {
        fish_line(to, NULL);
        fprintf(to, " -a %s", c->name);
        fish_text(to, c->summary);
        fish_line(to, "help");
        fprintf(to, " -a %s\n", c->name);
    }
    for (const cli_command *c = commands; c->name; c++) {
        const cli_option *o;
        if (takes_program(c))
            fish_program(to, c);
        for (size_t i = 0; (o = command_option(c, i)) != NULL; i++)
            fish_option(to, m, c, o);
        const manual_placeholder *placeholder = manual_find(m, c->operands);
        if (!placeholder || takes_program(c))
            continue;
        fish_line(to, c->name);
        if (placeholder->words)
            fish_words(to, placeholder->words);
        else
            fprintf(to, " -F");
        fprintf(to, "\n");
    }
}
