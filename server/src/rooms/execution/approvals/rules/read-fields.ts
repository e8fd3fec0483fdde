import type { GraphApprovalField } from '@signalbox/pipeline/graph'

export interface FieldFault {
  readonly field: string
  readonly message: string
}

/** Holds what an approver filled in against what the step asks for. Values are texts; a boolean is `true` or `false`. */
export function readFields(
  asked: readonly GraphApprovalField[],
  given: Readonly<Record<string, string>>,
): { readonly values: Readonly<Record<string, string>>; readonly faults: readonly FieldFault[] } {
  const faults: FieldFault[] = []
  const known = new Map(asked.map((field) => [field.name, field]))
  for (const name of Object.keys(given)) {
    if (known.has(name)) continue
    const names = asked.map((field) => field.name)
    const hint = names.length === 0 ? 'the step asks for none: leave it out' : `the step asks for ${names.join(', ')}`
    faults.push({ field: `fields.${name}`, message: `is not a field of the step; ${hint}` })
  }
  for (const field of asked) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : undefined
    const message = value === undefined ? missing(field) : wrong(field, value)
    if (message !== null) faults.push({ field: `fields.${field.name}`, message })
  }
  return { values: given, faults }
}

function missing(field: GraphApprovalField): string | null {
  return field.required && field.default === null ? 'is missing: fill it in to approve' : null
}

function wrong(field: GraphApprovalField, value: string): string | null {
  switch (field.type) {
    case 'text':
      return field.required && value.trim() === '' ? 'is empty: fill it in to approve' : null
    case 'boolean':
      return value === 'true' || value === 'false' ? null : 'must be true or false'
    case 'choice':
      return field.options.includes(value) ? null : `must be one of ${field.options.join(', ')}`
    default:
      return field.type satisfies never
  }
}
