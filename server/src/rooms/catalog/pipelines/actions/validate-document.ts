import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { type CheckNeeds, checkDocument, type DocumentFault } from './check-document.ts'

export interface ValidationResult {
  readonly valid: boolean
  readonly errors: readonly DocumentFault[]
  readonly warnings: readonly DocumentFault[]
}

/**
 * What a save would say, without saving. With a team what the document names outside itself is looked up, which only who
 * may see its pipelines may ask for; without one any caller may ask. What the caller cannot see is a warning here, for
 * somebody else may be the one who saves.
 */
export async function validateDocument(
  kit: Kit,
  needs: CheckNeeds,
  caller: Caller,
  input: { readonly document: string; readonly teamPath: string | undefined },
): Promise<ValidationResult> {
  const { document, teamPath } = input
  if (teamPath !== undefined && !caller.can('pipeline.read', teamPath)) {
    throw platformProblem('forbidden', `You need pipeline.read on ${teamPath} to check a document against it.`)
  }
  const place = teamPath === undefined ? undefined : { teamPath, writer: caller, hidden: 'warning' as const }
  const checked = await checkDocument(needs, kit.database.kysely, await needs.parse(document), place)
  return { valid: checked.ok, errors: checked.ok ? [] : checked.errors, warnings: checked.warnings }
}
