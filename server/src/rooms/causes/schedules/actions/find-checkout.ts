import type { Owner } from '@signalbox/contracts/http'
import { fullRef } from '@signalbox/contracts/repository'
import type { FoundCheckout } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import type { Schedule } from '../store/schedules.ts'

export type CheckoutResult =
  | { readonly checkout: FoundCheckout | undefined }
  /** `retry`: the repository may answer later. */
  | { readonly problem: string; readonly retry: boolean }

/** The commit that the branch or tag of a schedule points at now, through a source that the owner may see. */
export async function findScheduledCheckout(
  means: Means,
  schedule: Schedule,
  { owner, teamPath }: { readonly owner: Owner; readonly teamPath: string },
): Promise<CheckoutResult> {
  const { repository } = schedule
  const ref = fullRef(schedule.ref)
  if (repository === null || ref === undefined) return { checkout: undefined }
  const subject = await means.access.subject(owner.kind, owner.id)
  if (!subject) return { problem: `${owner.name} does not exist any more, or is disabled.`, retry: false }
  const found = await means.runs.findCheckout(subject, { repository, ref, teamPath })
  return 'problem' in found ? { problem: found.problem, retry: found.field === 'ref' } : { checkout: found }
}
