import { isObject } from './json-object.ts'

export interface ChangedPaths {
  readonly paths: string[]
  readonly complete: boolean
}

/** Ours: beyond this many characters in all, the list is cut and says so. */
const MAX_CHARACTERS = 1_048_576
const MAX_PATH = 4_096
const LISTS = ['added', 'modified', 'removed'] as const

/**
 * The paths that commits name in their lists `added`, `modified` and `removed`. The lists are complete when `whole`
 * says that no commit is missing, every commit has all its lists, and every path can be stored. No list may reach
 * `maxFiles`, where its provider cuts. A ref that was created or forced was never compared with anything: then `whole`
 * is false.
 */
export function readChangedPaths(
  commits: readonly unknown[],
  { whole, maxFiles = Number.POSITIVE_INFINITY }: { readonly whole: boolean; readonly maxFiles?: number },
): ChangedPaths {
  const found = new Set<string>()
  let complete = whole
  let characters = 0

  for (const commit of commits) {
    const files = filesOf(commit)
    if (!files.whole || files.paths.length >= maxFiles) complete = false
    for (const path of files.paths) {
      if (found.has(path)) continue
      characters += path.length
      if (path.length > MAX_PATH || characters > MAX_CHARACTERS) return { paths: [...found], complete: false }
      found.add(path)
    }
  }
  return { paths: [...found], complete }
}

/** The usable paths of a commit; incomplete when a list is absent or holds other values. */
function filesOf(commit: unknown): { readonly paths: readonly string[]; readonly whole: boolean } {
  const paths: string[] = []
  if (!isObject(commit)) return { paths, whole: false }
  let whole = true
  for (const key of LISTS) {
    const list = commit[key]
    if (!Array.isArray(list)) whole = false
    for (const path of Array.isArray(list) ? list : []) {
      if (typeof path !== 'string' || path === '' || path.includes('\0') || !path.isWellFormed()) whole = false
      else paths.push(path)
    }
  }
  return { paths, whole }
}
