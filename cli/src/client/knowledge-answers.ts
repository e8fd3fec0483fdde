import type {
  Emergency,
  KnowledgeItem,
  KnowledgeRevision,
  KnowledgeRevisionSummary,
  KnowledgeSummary,
  KnowledgeTestResult,
  KnowledgeValidation,
} from '@signalbox/contracts/knowledge'
import { flag, list, number, object, orNull, partOf, text } from './shape.ts'

// As answers.ts, for the commands of knowledge and emergencies.

const content = {
  identifier: text,
  kind: text,
  scope: text,
  rule: orNull(text),
  at: orNull(text),
  time_zone: text,
  message: orNull(text),
  revision: number,
  saved_by: text,
}

export const knowledgeSummary = partOf<KnowledgeSummary>()(object({ ...content, updated_at: text }))

export const knowledgeItem = partOf<KnowledgeItem>()(object({ ...content, updated_at: text, text }))

export const knowledgeRevision = partOf<KnowledgeRevisionSummary>()(object({ ...content, id: text, saved_at: text }))

export const knowledgeRevisionDetail = partOf<KnowledgeRevision>()(object({ ...content, saved_at: text, text }))

export const knowledgeValidation = partOf<KnowledgeValidation>()(
  object({
    valid: flag,
    errors: list(object({ field: text, message: text, line: orNull(number), column: orNull(number) })),
    judged_at: list(text),
  }),
)
export type KnowledgeVerdict = ReturnType<typeof knowledgeValidation>

export const knowledgeTestResult = partOf<KnowledgeTestResult>()(
  object({ at: text, applies: flag, judged: flag, violation: orNull(text) }),
)

export const emergency = partOf<Emergency>()(
  object({
    id: text,
    scope: text,
    reason: text,
    active: flag,
    declared_by: object({ name: text }),
    declared_at: text,
    lifted_by: orNull(object({ name: text })),
    lifted_at: orNull(text),
    lift_reason: orNull(text),
  }),
)
