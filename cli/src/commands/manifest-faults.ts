import type { ManifestTrace } from '@signalbox/contracts/events'
import type { Context } from './context.ts'

/** Prints the faults of manifests of repositories, below an empty line. */
export function printManifests(context: Context, manifests: readonly (ManifestTrace | null)[]): void {
  // A push of several branches may find the same manifest more than once.
  const rows = new Map(manifests.flatMap(rowsOf).map((row) => [row.join(), row]))
  if (rows.size === 0) return
  context.printLine('')
  context.printTable(['manifest', 'directive', 'what is wrong'], [...rows.values()])
}

function rowsOf(manifest: ManifestTrace | null): readonly (readonly string[])[] {
  if (manifest === null) return []
  const { state, path, reason, problems } = manifest
  if (problems.length > 0) {
    return problems.map(({ line, column, directive, message }) => [`${path}:${line}:${column}`, directive, message])
  }
  return state === 'unreadable' ? [[path, '', reason ?? 'The manifest could not be fetched.']] : []
}
