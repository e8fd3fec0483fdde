/** How shells and programs write a text between quotes, without the quotes around it. */

// A shell leaves the quotes for each of its own: bash and zsh with a backslash, dash with double quotes.
function singleQuoted(text: string): string[] {
  return [
    text.replaceAll("'", `'\\''`),
    text.replace(/'+/g, (quotes) => `'"${quotes}"'`),
    text.replaceAll("'", `'"'"'`),
    // YAML, SQL and PowerShell.
    text.replaceAll("'", "''"),
  ]
}

function doubleQuoted(text: string): string[] {
  return [text.replace(/["$`\\]/g, '\\$&'), text.replace(/["$`\\!]/g, '\\$&'), text.replaceAll('"', '""')]
}

// `printf %q` of bash and `${(q)name}` of zsh; ~ and # only where they stand first.
function backslashed(text: string): string[] {
  const quoted = text.replace(/[ \t!"$&'()*,;<>?[\\\]^`{|}]/g, '\\$&')
  return [
    quoted,
    quoted.replace(/^[~#]/, '\\$&'),
    quoted.replace(/^[~#]|[=:]~/g, '\\$&'),
    text.replace(/[^\w@%+=:,./-]/g, '\\$&'),
  ]
}

const CONTROLS: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\E',
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`
}
function hex(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`
}

/** `$'...'` of a shell, and the strings of C, Python and JavaScript. */
function escaped(text: string, quotes: RegExp, other: (byte: number) => string): string {
  return (
    text
      .replace(quotes, '\\$&')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped.
      .replace(/[\u0000-\u001f\u007f]/g, (letter) => CONTROLS[letter] ?? other(letter.charCodeAt(0)))
  )
}

function bytewise(text: string, other: (byte: number) => string): string {
  return text.replace(/[^\u0000-\u007f]+/g, (letters) => Array.from(new TextEncoder().encode(letters), other).join(''))
}

function ansiQuoted(text: string): string[] {
  const shell = escaped(text, /[\\']/g, octal)
  return [
    shell,
    bytewise(shell, octal),
    escaped(text, /\\/g, hex),
    bytewise(escaped(text, /[\\']/g, hex), hex),
    escaped(text, /[\\"]/g, hex),
    // `printf %q` of coreutils.
    text.replaceAll("'", `'\\''`).replace(/[\t\n\r]+/g, (letters) => `'$'${escaped(letters, /[\\']/g, octal)}''`),
  ]
}

export function quotedForms(text: string): string[] {
  return [...singleQuoted(text), ...doubleQuoted(text), ...backslashed(text), ...ansiQuoted(text)]
}

function unicode(letter: string, upper: boolean): string {
  const digits = letter.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${upper ? digits.toUpperCase() : digits}`
}

/** JSON as programs write it: some escape all but ASCII, Go and .NET escape characters with a meaning in HTML. */
export function jsonForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const go = plain.replace(/[<>&\u2028\u2029]/g, (letter) => unicode(letter, false))
  const strict = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', unicode('"', true))
    .replace(/[<>&'+`]/g, (letter) => unicode(letter, true))
  const ascii = (json: string, upper: boolean) => json.replace(/[^\x20-\x7e]/g, (letter) => unicode(letter, upper))
  const forms = [plain, go, strict, ascii(plain, false), ascii(plain, true), ascii(go, false), ascii(strict, true)]
  return forms.flatMap((form) => [form, form.replaceAll('/', '\\/')])
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** HTML and XML: the few letters that have a meaning there, in the ways that libraries write them. */
export function htmlForms(text: string): string[] {
  const basic = text.replace(/[&<>]/g, (letter) => NAMED[letter] ?? letter)
  const forms: string[] = [basic, basic.replaceAll('&gt;', '>')]
  for (const single of ["'", '&#39;', '&#039;', '&#x27;', '&apos;']) {
    for (const double of ['"', '&quot;', '&#34;', '&#x22;']) {
      const form = basic.replaceAll("'", single).replaceAll('"', double)
      forms.push(form, form.replaceAll('/', '&#x2F;'))
    }
  }
  const other = basic.replaceAll("'", '&#39;').replaceAll('"', '&quot;')
  forms.push(
    other.replace(/[/`=]/g, (letter) => `&#x${letter.charCodeAt(0).toString(16).toUpperCase()};`),
    other.replace(/[^\x20-\x7e]/gu, (letter) => `&#${letter.codePointAt(0)};`),
    other.replace(/[^\x20-\x7e]/gu, (letter) => `&#x${letter.codePointAt(0)?.toString(16).toUpperCase()};`),
  )
  return forms
}
