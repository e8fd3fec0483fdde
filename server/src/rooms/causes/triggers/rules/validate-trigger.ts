import { compileExpression } from '@signalbox/pipeline/expressions'
import { validatePatterns } from '@signalbox/pipeline/patterns'
import type { TriggerDefinition } from './trigger.ts'
import { parseVariable } from './variables.ts'

export interface TriggerFault {
  readonly field: string
  readonly message: string
}

/** Everything that is wrong with a definition in itself, each with the field at fault. */
export function validateTrigger(definition: TriggerDefinition): readonly TriggerFault[] {
  const faults: TriggerFault[] = []
  for (const field of ['repositories', 'branches', 'tags', 'paths'] as const) {
    for (const problem of validatePatterns(definition[field])) {
      faults.push({ field: problem.index === null ? field : `${field}.${problem.index}`, message: problem.message })
    }
  }
  for (const [index, pattern] of definition.repositories.entries()) {
    if (!pattern.includes('/') && !pattern.includes('**')) {
      faults.push({ field: `repositories.${index}`, message: 'must be of the form owner/repository' })
    }
  }
  if (definition.condition !== null) {
    const compiled = compileExpression(definition.condition, { identifiers: ['event'] })
    if (!compiled.ok) {
      for (const { message, line, column } of compiled.problems) {
        faults.push({ field: 'if', message: `${message} (line ${line}, column ${column})` })
      }
    }
  }
  for (const [name, text] of Object.entries(definition.variables)) {
    const parsed = parseVariable(text)
    if (!parsed.ok) faults.push({ field: `variables.${name}`, message: parsed.message })
  }
  return faults
}
