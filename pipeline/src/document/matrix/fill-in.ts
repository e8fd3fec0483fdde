/** The values of one combination by axis; an axis that only other combinations have is empty in this one. */
export type Combination = Readonly<Record<string, string>>

export interface FilledIn {
  readonly text: string
  /** One sentence for each `${{ }}` that names no value of the matrix. */
  readonly problems: readonly string[]
}

const REFERENCE = /^\s*matrix\.([A-Za-z_][A-Za-z0-9_-]{0,62})\s*$/

/** Replaces `${{ matrix.<axis> }}` by its value; `$${{` stands for the plain characters `${{`. Null: there is no matrix. */
export function fillIn(text: string, combination: Combination | null): FilledIn {
  if (!text.includes('${{')) return { text, problems: [] }
  const problems: string[] = []
  let filled = ''
  let position = 0
  for (let at = text.indexOf('${{'); at !== -1; at = text.indexOf('${{', position)) {
    if (at > position && text[at - 1] === '$') {
      filled += `${text.slice(position, at - 1)}\${{`
      position = at + 3
      continue
    }
    const close = text.indexOf('}}', at)
    const end = close === -1 ? text.length : close + 2
    const found = text.slice(at, end)
    const axis = close === -1 ? undefined : REFERENCE.exec(text.slice(at + 3, close))?.[1]
    filled += text.slice(position, at)
    position = end
    const value =
      axis !== undefined && combination !== null && Object.hasOwn(combination, axis) ? combination[axis] : undefined
    if (value !== undefined) filled += value
    else problems.push(problemOf(found.slice(0, 80), axis, combination))
  }
  return { text: filled + text.slice(position), problems }
}

function problemOf(found: string, axis: string | undefined, combination: Combination | null): string {
  if (axis === undefined) {
    return `\`${found}\` cannot be replaced here: write \${{ matrix.<axis> }}, or $\${{ for the plain text`
  }
  if (combination === null) return `\`${found}\`: the step has no matrix; give it one, matrix: { ${axis}: [...] }`
  const known = Object.keys(combination).join(', ')
  return `\`${found}\`: the matrix has no \`${axis}\`; it has ${known}`
}
