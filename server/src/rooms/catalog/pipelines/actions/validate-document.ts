import type { PipelineValidationResult } from '@signalbox/contracts/pipelines'
import { type Caller, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import { checkDocument } from './check-document.ts'

/**
 * The errors and warnings of a save, without saving. With a team, the references of the document are looked up, and the
 * caller needs pipeline.read there; without a team any caller may ask. A reference that the caller cannot see is only a
 * warning, because somebody else may save the document.
 */
export async function validateDocument(
  means: Means,
  caller: Caller,
  input: { readonly document: string; readonly teamPath: string | undefined },
): Promise<PipelineValidationResult> {
  const { document, teamPath } = input
  if (teamPath !== undefined) requirePermission(caller, 'pipeline.read', teamPath)
  const place = teamPath === undefined ? undefined : { teamPath, writer: caller, hidden: 'warning' as const }
  const checked = await checkDocument(means, means.database.kysely, await means.parse(document), place)
  return { valid: checked.ok, errors: checked.ok ? [] : [...checked.errors], warnings: [...checked.warnings] }
}
