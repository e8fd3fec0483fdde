import type { OverrideValidation } from '@signalbox/contracts/overrides'
import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { type DocumentFault, type ReadDocument, readDocument } from '../rules/index.ts'
import { findMissingRights, resolveTarget } from './check-target.ts'

/** An override that ends before anybody notices it is more likely a mistyped time. */
const SOON_MS = 60 * 60_000

type Found = Omit<OverrideValidation, 'valid'>

/** Judges the document as a PUT by the caller would, and stores nothing. A right that the caller lacks is a warning. */
export async function validateOverride(means: Means, caller: Caller, bytes: Uint8Array): Promise<OverrideValidation> {
  const document = readDocument(bytes)
  const target = await checkTarget(means, caller, document)
  const expiry = checkExpiry(document, means.clock.now())
  const errors = [...document.faults, ...target.errors, ...expiry.errors]
  const warnings = [...target.warnings, ...expiry.warnings]
  return { valid: errors.length === 0, errors: inOrder(errors), warnings: inOrder(warnings) }
}

async function checkTarget(means: Means, caller: Caller, document: ReadDocument): Promise<Found> {
  const { pipeline, scope } = document
  if (!pipeline) return { errors: [], warnings: [] }
  const db = means.database.kysely
  const place = ({ field, message }: { field: string; message: string }): DocumentFault => {
    const { line, column } = (field === 'scope' ? scope : pipeline) ?? document.start
    return { field, message, line, column }
  }
  // A scope that cannot be read is a fault already: none is looked for in its place.
  const wanted = { pipeline: pipeline.value, scope: scope?.value }
  const resolved = await resolveTarget(means, db, caller, wanted)
  if ('faults' in resolved) {
    const faults = resolved.faults.filter(({ field }) => field !== 'scope' || scope !== undefined)
    return { errors: faults.map(place), warnings: [] }
  }
  if (scope === undefined) return { errors: [], warnings: [] }
  return { errors: [], warnings: (await findMissingRights(means, caller, resolved.target)).map(place) }
}

function checkExpiry({ expiresAt }: ReadDocument, now: Date): Found {
  const left = expiresAt ? expiresAt.value.getTime() - now.getTime() : Number.POSITIVE_INFINITY
  if (!expiresAt || left >= SOON_MS) return { errors: [], warnings: [] }
  const { line, column } = expiresAt
  const fault = { field: 'expires_at', line, column }
  if (left <= 0) return { errors: [{ ...fault, message: 'must be ahead of now' }], warnings: [] }
  const minutes = Math.ceil(left / 60_000)
  return { errors: [], warnings: [{ ...fault, message: `is ${minutes} min ahead: is that what you mean?` }] }
}

function inOrder(faults: readonly DocumentFault[]): DocumentFault[] {
  return faults.toSorted((a, b) => a.line - b.line || a.column - b.column)
}
