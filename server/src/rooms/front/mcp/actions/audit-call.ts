import { hash } from 'node:crypto'
import type { CallOrigin } from '#platform/http'
import { makeVisible } from '#platform/tools'
import type { Means } from '../means.ts'
import type { CallOutcome } from '../metrics.ts'

/** What an agent asked for, and what became of it. */
export interface AuditedCall {
  /** A tool, or what stands for one, such as `completion`. */
  readonly tool: string
  readonly input: unknown
  readonly client: string | undefined
  readonly bytes: number
  readonly outcome: CallOutcome
  readonly planId: string | null
}

/** Stored before the answer is sent: where it cannot be stored, there is no answer. */
export async function auditCall(means: Means, origin: CallOrigin, call: AuditedCall): Promise<void> {
  const { tool, input, client, bytes, outcome, planId } = call
  await means.audit.recordAlone({
    origin,
    action: 'tool.called',
    resource: { kind: 'tool', id: tool },
    teamPath: '/',
    after: {
      client: client === undefined ? null : makeVisible(client).slice(0, 200),
      tool,
      arguments_sha256: hash('sha256', JSON.stringify(input ?? {})),
      bytes,
      outcome,
      plan_id: planId,
    },
  })
}
