const encoder = new TextEncoder()

/** Letters and digits stand for themselves everywhere; each program leaves others as they are, too. */
const LEFT: readonly { readonly plain: string; readonly plus?: true }[] = [
  { plain: "-_.!~*'()" }, // encodeURIComponent
  { plain: '-_.~' }, // RFC 3986: curl, jq, Go's path, PHP's rawurlencode
  { plain: '-_.~/' }, // Python's quote
  { plain: "-_.!~*'();,/?:@&=+$#" }, // encodeURI
  { plain: "-_.~$&+,/:;=@!'()*" }, // a path
  { plain: '*-._', plus: true }, // a form in a browser, URLSearchParams
  { plain: '-_.~', plus: true }, // Go's and Python's forms
  { plain: '-_.', plus: true }, // PHP's urlencode
  { plain: '' },
]

function encode(text: string, { plain, plus }: (typeof LEFT)[number]): string {
  return Array.from(encoder.encode(text), (byte) => {
    const letter = String.fromCharCode(byte)
    if (byte < 0x80 && (/[A-Za-z0-9]/.test(letter) || plain.includes(letter))) return letter
    if (plus && letter === ' ') return '+'
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}

function lowered(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
}

/** Percent-encoded as the programs of the field do it, with digits of both cases. */
export function percentForms(text: string): string[] {
  return [...new Set(LEFT.map((each) => encode(text, each)))].flatMap((form) => [form, lowered(form)])
}

/** Encoded a second time: all that is not plain by now is the sign itself. */
export function doublePercentForms(text: string): string[] {
  return percentForms(text).map((form) => form.replaceAll('%', '%25'))
}
