const encoder = new TextEncoder()

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The characters of base64 that stay the same whatever stands before (offset 0, 1, 2 bytes) and after `bytes`. */
function base64At(bytes: Uint8Array, offset: 0 | 1 | 2): { certain: string; last: string | undefined } {
  const shifted = new Uint8Array(offset + bytes.length)
  shifted.set(bytes, offset)
  const encoded = base64Of(shifted)
  const first = [0, 2, 3][offset] ?? 0
  const certain = encoded.slice(first, Math.floor(((offset + bytes.length) * 8) / 6))
  // When the value ends the encoded text, its last character and padding are known too.
  return { certain, last: encoded.endsWith('=') ? encoded.slice(first) : undefined }
}

function certainForms(bytes: Uint8Array): string[] {
  return [base64At(bytes, 0), base64At(bytes, 1), base64At(bytes, 2)].map(({ certain }) => certain)
}

/** Base64 at its three offsets, in the standard alphabet; without padding too, as in URLs. */
export function base64Forms(bytes: Uint8Array): string[] {
  return [base64At(bytes, 0), base64At(bytes, 1), base64At(bytes, 2)].flatMap(({ certain, last }) =>
    last === undefined ? [certain] : [certain, last, last.replace(/=+$/, '')],
  )
}

function toUrlAlphabet(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_')
}

function ownLineEnds(text: string, width: number): string {
  return text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
}

/** Base64 of base64, which may have been broken into lines of 76 characters; base64 of other encodings and of UTF-16. */
export function doubleBase64Forms(text: string, inner: readonly string[]): string[] {
  const bytes = encoder.encode(text)
  const certain = certainForms(bytes)
  const once = new Set(certain.flatMap((form) => [form, toUrlAlphabet(form)]))
  const [first = ''] = certain
  if (first.length > 76) once.add(ownLineEnds(first, 76))
  const utf16 = new Uint8Array(text.length * 2)
  for (let at = 0; at < text.length; at++) {
    utf16[at * 2] = text.charCodeAt(at) & 0xff
    utf16[at * 2 + 1] = text.charCodeAt(at) >> 8
  }
  const encoded = [...once, ...inner].flatMap((form) => certainForms(encoder.encode(form)))
  return [...encoded, ...certainForms(utf16)]
}

/** Base64 whose special characters are percent-encoded. */
export function percentOfBase64(forms: readonly string[]): string[] {
  return forms.flatMap((form) => {
    const upper = form.replaceAll('+', '%2B').replaceAll('/', '%2F').replaceAll('=', '%3D')
    return [upper, upper.replace(/%../g, (code) => code.toLowerCase())]
  })
}

function written(bytes: Iterable<number>, radix: number, width: number): string {
  return Array.from(bytes, (byte) => byte.toString(radix).padStart(width, '0')).join('')
}

export function hexForms(bytes: Uint8Array): string[] {
  const lower = written(bytes, 16, 2)
  return [lower, lower.toUpperCase()]
}

/** Words of two bytes, the lower one first, as `hexdump` and `od -x` show them; what shares a word with others is left out. */
function wordForms(bytes: Uint8Array): string[] {
  return [0, 1].map((first) => {
    const swapped: number[] = []
    for (let at = first; at + 1 < bytes.length; at += 2) swapped.push(bytes[at + 1] ?? 0, bytes[at] ?? 0)
    return written(swapped, 16, 2)
  })
}

/** The digits of each byte in the notations of dumps, escapes and entities; whatever stands between them is left out. */
export function digitForms(text: string): string[] {
  const bytes = encoder.encode(text)
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  const points = Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
  return [
    written(bytes, 16, 2),
    // `0x61`, where the x stands between digits; `\u0061`; UTF-16, the lower byte first.
    written(bytes, 16, 3),
    written(units, 16, 4),
    written(
      units.flatMap((unit) => [unit & 0xff, unit >> 8]),
      16,
      2,
    ),
    written(points, 16, 2),
    written(bytes, 10, 1),
    written(points, 10, 1),
    // `od -tu1` fills up with blanks; some programs with zeros.
    written(bytes, 10, 3),
    written(bytes, 8, 3),
    ...wordForms(bytes),
  ]
}
