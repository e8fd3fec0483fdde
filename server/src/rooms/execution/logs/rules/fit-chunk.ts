/** How a chunk that arrived joins the lines that are stored. */
export type Fit =
  /** The first `skip` lines of the chunk are stored already; 0: the chunk begins exactly where the log ends. */
  | { readonly kind: 'append'; readonly skip: number }
  /** All of it is stored. */
  | { readonly kind: 'known' }
  /** Lines between are missing: it must not be stored. */
  | { readonly kind: 'gap' }

/** `next` is the first line that is not stored; the result never lets a line be missing, doubled or out of order. */
export function fitChunk(next: number, firstLine: number, lineCount: number): Fit {
  if (firstLine > next) return { kind: 'gap' }
  if (firstLine + lineCount <= next) return { kind: 'known' }
  return { kind: 'append', skip: next - firstLine }
}
