import type { ApprovalField } from './approval-request.ts'

/** What a person has filled in, by field. */
export type Answers = Readonly<Record<string, string>>

/** The defaults of the fields. */
export function firstAnswers(fields: readonly ApprovalField[]): Answers {
  return Object.fromEntries(
    fields.map(({ name, type, default: value }) => [name, value ?? (type === 'boolean' ? 'false' : '')]),
  )
}

/** Required fields that nobody has filled in. */
export function missingFields(fields: readonly ApprovalField[], answers: Answers): readonly string[] {
  return fields
    .filter(({ name, required, type }) => required && type !== 'boolean' && (answers[name] ?? '') === '')
    .map(({ name }) => name)
}

/** What is sent: a field that was left empty has its default. */
export function answersOf(answers: Answers): Record<string, string> {
  return Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== ''))
}
