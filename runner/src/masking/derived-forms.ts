// A whole value shorter than this is not masked: `1` or `on` would turn every log into stars.
const shortestWhole = 3
// Nor is a derived form, or a line of a multi-line value, shorter than this.
const shortestDerived = 4

// The widths at which `base64` (coreutils) and `openssl base64` break their lines.
const wrapWidths = [76, 64] as const

/** The characters of `value`'s base64 that stay the same whatever stands before (offset 0, 1, 2 bytes) and after it. */
const base64At = (bytes: Buffer, offset: 0 | 1 | 2): string[] => {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const first = [0, 2, 3][offset] ?? 0
  const determined = encoded.slice(first, Math.floor(((offset + bytes.length) * 8) / 6))
  // When the value ends the encoded text, its last character and padding are known too.
  return encoded.endsWith('=') ? [determined, encoded.slice(first)] : [determined]
}

const base64Forms = (value: string): string[] => {
  const bytes = Buffer.from(value)
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

/**
 * Every text that gives `value` away and has to be masked: the value without surrounding white space, each of its
 * lines, and its base64 (all three offsets, both alphabets, wrapped), percent-encoded and JSON-escaped forms.
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
    add(base64Forms(whole))
    add(percentForms(whole))
    add(jsonForms(whole))
  }
  return [...forms]
}
