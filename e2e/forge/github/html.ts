import type { Answer } from '../http/call.ts'

/** A page of the forge. `content` is HTML: whoever writes it has escaped what came from outside. */
export function page(status: number, title: string, content: string): Answer {
  const name = escape(title)
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title></head><body><main><h1>${name}</h1>${content}</main></body></html>`
  return { status, body }
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
