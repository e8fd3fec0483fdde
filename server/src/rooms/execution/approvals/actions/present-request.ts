import type { ApprovalDecision, ApprovalRequest } from '@signalbox/contracts/runs'
import { toWire } from '#platform/http'
import type { Decision, Request } from '../rules/index.ts'

/** A request as the API and run details tell it. */
export function presentRequest(
  { id: _, pipelineIdentifier: pipeline, pipelineVersionId: _version, askedBy: _askers, fields, ...request }: Request,
  decisions: readonly Decision[],
  { obstacle, refusal }: Pick<ApprovalRequest, 'obstacle' | 'refusal'>,
): ApprovalRequest {
  return {
    ...toWire(request),
    pipeline,
    obstacle,
    refusal,
    fields: fields.map((field) => ({ ...field, options: [...field.options] })),
    decisions: decisions.map(presentDecision),
  }
}

export function presentDecision({ requestId: _, ...decision }: Decision): ApprovalDecision {
  return toWire(decision)
}
