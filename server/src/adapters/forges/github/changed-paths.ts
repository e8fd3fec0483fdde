import { isObject, type JsonObject } from '../json-scan.ts'

export interface ChangedPaths {
  readonly paths: string[]
  readonly complete: boolean
}

/** GitHub leaves out commits beyond this number and files beyond this number of each commit. */
const MAX_COMMITS = 2_048
const MAX_FILES_OF_COMMIT = 3_000

/** Ours: beyond this many characters in all, the list is cut and says so. */
const MAX_CHARACTERS = 1_048_576
const MAX_PATH = 4_096
const LISTS = ['added', 'modified', 'removed'] as const

/**
 * The paths that a push names: those of its commits, and of its head commit (a new branch without new commits has only
 * that one). Complete only for an ordinary push whose lists nobody cut: a created or forced ref was never compared with
 * anything, so its true difference is unknown.
 */
export function readChangedPaths(payload: JsonObject, comparable: boolean): ChangedPaths {
  const found = new Set<string>()
  const commits = payload['commits']
  let complete = comparable && Array.isArray(commits) && commits.length < MAX_COMMITS
  let characters = 0

  for (const commit of [...(Array.isArray(commits) ? commits : []), payload['head_commit']]) {
    const files = isObject(commit) ? filesOf(commit) : undefined
    if (files === undefined || files.length >= MAX_FILES_OF_COMMIT) complete = false
    for (const path of files ?? []) {
      if (found.has(path)) continue
      characters += path.length
      if (path.length > MAX_PATH || characters > MAX_CHARACTERS) return { paths: [...found], complete: false }
      found.add(path)
    }
  }
  return { paths: [...found], complete }
}

/** Undefined when one of the lists is absent or holds anything but usable paths: then nothing is known for sure. */
function filesOf(commit: JsonObject): readonly string[] | undefined {
  const files: string[] = []
  for (const key of LISTS) {
    const list = commit[key]
    if (!Array.isArray(list)) return undefined
    for (const path of list) {
      if (typeof path !== 'string' || path === '' || path.includes('\0') || !path.isWellFormed()) return undefined
      files.push(path)
    }
  }
  return files
}
