// A whole value shorter than this is not masked: `1` or `on` would turn every log into stars.
const shortestWhole = 3
// Nor is a derived form, or a line of a multi-line value, shorter than this.
const shortestDerived = 4

// The widths at which `base64` (coreutils) and `openssl base64` break their lines.
const wrapWidths = [76, 64] as const

/** The characters of `value`'s base64 that stay the same whatever stands before (offset 0, 1, 2 bytes) and after it. */
const base64At = (bytes: Uint8Array, offset: 0 | 1 | 2): string[] => {
  const shifted = new Uint8Array(offset + bytes.length)
  shifted.set(bytes, offset)
  const encoded = btoa(Array.from(shifted, (byte) => String.fromCharCode(byte)).join(''))
  const first = [0, 2, 3][offset] ?? 0
  const determined = encoded.slice(first, Math.floor(((offset + bytes.length) * 8) / 6))
  // When the value ends the encoded text, its last character and padding are known too.
  return encoded.endsWith('=') ? [determined, encoded.slice(first)] : [determined]
}

const base64Forms = (bytes: Uint8Array): string[] => {
  const forms = [...base64At(bytes, 0), ...base64At(bytes, 1), ...base64At(bytes, 2)]
  const whole = forms[0] ?? ''
  for (const width of wrapWidths) {
    for (let at = 0; whole.length > width && at < whole.length; at += width) forms.push(whole.slice(at, at + width))
  }
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')])
}

const percentForms = (value: string): string[] => {
  // A lone surrogate cannot be percent-encoded; it cannot reach a process either.
  const component = encodeURIComponent(value.toWellFormed())
  const strict = component.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const form = new URLSearchParams([['', value]]).toString().slice(1)
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  return [component, strict, form, lower(component), lower(strict), lower(form)]
}

const jsonForms = (value: string): string[] => {
  const plain = JSON.stringify(value).slice(1, -1)
  const ascii = plain.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [plain, ascii].flatMap((text) => [text, text.replaceAll('/', '\\/')])
}

const hexForms = (bytes: Uint8Array): string[] => {
  const lower = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [lower, lower.toUpperCase()]
}

/**
 * Every text that gives `value` away and has to be masked: the value without surrounding white space, each of its
 * lines, and its base64 (all three offsets, both alphabets, wrapped), percent-encoded, JSON-escaped and hexadecimal
 * forms.
 */
export const derivedForms = (value: string): string[] => {
  const whole = value.trim()
  if (whole.length < shortestWhole) return []
  const forms = new Set<string>([whole])
  const add = (texts: readonly string[]) => {
    for (const text of texts) if (text.length >= shortestDerived) forms.add(text)
  }
  const lines = whole.split(/\r\n|\n|\r/).map((line) => line.trim())
  if (lines.length > 1) add(lines)
  if (whole.length >= shortestDerived) {
    const bytes = new TextEncoder().encode(whole)
    add(base64Forms(bytes))
    add(hexForms(bytes))
    add(percentForms(whole))
    add(jsonForms(whole))
  }
  return [...forms]
}
