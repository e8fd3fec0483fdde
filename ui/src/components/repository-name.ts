/**
 * Owner and name of a repository: the owner is everything before the last slash. Undefined: it is no such name, or a
 * pattern.
 */
export function readRepositoryName(text: string): { readonly owner: string; readonly name: string } | undefined {
  const fullName = text.trim()
  const at = fullName.lastIndexOf('/')
  const [owner, name] = [fullName.slice(0, Math.max(0, at)), fullName.slice(at + 1)]
  return owner === '' || name === '' || /[*?![\]{}]/.test(fullName) ? undefined : { owner, name }
}
