import { compileCondition } from '@signalbox/pipeline/expressions'
import { findUnknownName, TRIGGER_RUN_NAMES } from '@signalbox/pipeline/facts'
import { type PatternProblem, validatePatterns, validateRepositoryPatterns } from '@signalbox/pipeline/patterns'
import { findActionFault } from './actions.ts'
import { findCommandFault } from './commands.ts'
import { validateCommenters } from './commenters.ts'
import { validateLabels } from './label-list.ts'
import type { TriggerDefinition } from './trigger.ts'
import { parseVariable } from './variables.ts'

export interface TriggerFault {
  readonly field: string
  readonly message: string
  /** Where in the text of the field, from 1; of expressions. */
  readonly at?: { readonly line: number; readonly column: number }
}

/** Everything that is wrong with a definition in itself, each with the field at fault. */
export function validateTrigger(definition: TriggerDefinition): readonly TriggerFault[] {
  const faults: TriggerFault[] = []
  faults.push(...place('repositories', validateRepositoryPatterns(definition.repositories)))
  for (const field of ['branches', 'tags', 'paths'] as const) {
    faults.push(...place(field, validatePatterns(definition[field])))
  }
  faults.push(...place('labels', validateLabels(definition.labels)))
  faults.push(...place('commenters', validateCommenters(definition.commenters)))
  faults.push(...validateCommands(definition.commands), ...findUseless(definition))
  if (definition.condition !== null) {
    const compiled = compileCondition(definition.condition, { identifiers: ['event'] })
    if (!compiled.ok) {
      for (const { message, line, column } of compiled.problems) {
        faults.push({ field: 'if', message, at: { line, column } })
      }
    } else {
      const unknown = findUnknownName([compiled.expression], {})
      if (unknown) {
        faults.push({ field: 'if', message: unknown.message, at: positionOf(unknown.path, definition.condition) })
      }
    }
  }
  for (const [name, text] of Object.entries(definition.variables)) {
    const message = findTemplateFault(text)
    if (message !== undefined) faults.push({ field: `variables.${name}`, message })
  }
  if (definition.concurrency) {
    const message = findTemplateFault(definition.concurrency.group)
    if (message !== undefined) faults.push({ field: 'concurrency.group', message })
    else if (definition.concurrency.group.trim() === '') {
      faults.push({ field: 'concurrency.group', message: 'is empty: write a text such as deploy-${{ run.group_key }}' })
    }
  }
  return faults
}

function findTemplateFault(text: string): string | undefined {
  const parsed = parseVariable(text)
  if (!parsed.ok) return parsed.message
  const expressions = parsed.template.parts.filter((part) => typeof part !== 'string')
  return findUnknownName(expressions, { run: TRIGGER_RUN_NAMES })?.message
}

/** Where it is written so; else where the text begins. */
function positionOf(path: string, text: string): NonNullable<TriggerFault['at']> {
  const lines = text.slice(0, Math.max(text.indexOf(path), 0)).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

function place(field: string, problems: readonly PatternProblem[]): TriggerFault[] {
  return problems.map(({ index, message }) => ({ field: index === null ? field : `${field}.${index}`, message }))
}

function validateCommands(commands: readonly string[]): TriggerFault[] {
  return commands.flatMap((command, index) => {
    const message = findCommandFault(command)
    if (message !== undefined) return [{ field: `commands.${index}`, message }]
    if (commands.indexOf(command) < index) return [{ field: `commands.${index}`, message: 'stands in the list twice' }]
    return []
  })
}

/** A condition that no event of the trigger's kinds could ever meet is a mistake. */
function findUseless({ events, actions, labels, draft, commands, commenters }: TriggerDefinition): TriggerFault[] {
  const faults: TriggerFault[] = actions.flatMap((action, index) => {
    const message = findActionFault(events, action)
    return message === undefined ? [] : [{ field: `actions.${index}`, message }]
  })
  const kinds: readonly string[] = events
  const comments = kinds.includes('pull_request_comment')
  const said = comments || kinds.includes('pull_request_review')
  const pulls = said || kinds.includes('pull_request')
  const unknown = 'has no effect without pull_request, pull_request_comment or pull_request_review in events'
  if (labels.length > 0 && !pulls) faults.push({ field: 'labels', message: unknown })
  if (draft !== 'any' && !pulls) faults.push({ field: 'draft', message: unknown })
  const silent = 'has no effect without pull_request_comment in events'
  if (commands.length > 0 && !comments) faults.push({ field: 'commands', message: silent })
  if (commenters.length > 0 && !said) {
    faults.push({
      field: 'commenters',
      message: 'has no effect without pull_request_comment or pull_request_review in events',
    })
  }
  if (commands.length > 0 && actions.length > 0 && !actions.includes('created')) {
    faults.push({ field: 'commands', message: 'count in new comments only, and actions leaves out created' })
  }
  return faults
}
