import { nearest } from '@signalbox/pipeline/document'
import { KNOWN_PARTS } from './bindings.ts'
import { type CompiledRule, compileRule, isKnownAt } from './compile-rule.ts'
import type { ItemContent, ItemPlace, JudgedAt } from './item.ts'
import { localTimeIn } from './local-time.ts'
import { canFitWithin, findPatternFault } from './scope-pattern.ts'

export interface ItemFault {
  readonly field: string
  readonly message: string
  /** Where in the text of the field, from 1; of rules. */
  readonly at?: { readonly line: number; readonly column: number }
}

export interface ItemCheck {
  readonly faults: readonly ItemFault[]
  /** Where the rule is judged; empty for a reference and for a rule that cannot be read. */
  readonly judgedAt: readonly JudgedAt[]
}

/** Everything that is wrong with an item in itself, each with the field at fault. */
export function validateItem(item: ItemPlace & ItemContent): ItemCheck {
  const faults = [...checkScope(item), ...checkTimeZone(item)]
  if (item.kind === 'reference') return { faults: [...faults, ...checkReference(item)], judgedAt: [] }
  if ((item.message ?? '').trim() === '') {
    faults.push({ field: 'message', message: 'is required: say what is wrong, and what to do instead' })
  }
  if (item.rule === null || item.rule.trim() === '') {
    const message = `is required of a ${item.kind}: write the condition that must hold, such as environment != "production"`
    return { faults: [...faults, { field: 'rule', message }], judgedAt: [] }
  }
  const compiled = compileRule(item.rule, item.judgedAt)
  if (!compiled.ok) {
    const broken = compiled.problems.map(({ message, line, column }) => ({
      field: 'rule',
      message,
      at: { line, column },
    }))
    return { faults: [...faults, ...broken], judgedAt: [] }
  }
  return {
    faults: [...faults, ...checkParts(compiled.rule), ...checkPlace(item, compiled.rule)],
    judgedAt: compiled.rule.places,
  }
}

function checkScope({ scope, teamPath }: ItemPlace & ItemContent): ItemFault[] {
  const fault = findPatternFault(scope)
  if (fault !== undefined) return [{ field: 'scope', message: fault }]
  if (canFitWithin(scope, teamPath)) return []
  return [{ field: 'scope', message: `matches no scope of ${teamPath}: write ${teamPath}/**, or ** for all of them` }]
}

function checkTimeZone({ timeZone }: ItemContent): ItemFault[] {
  if (localTimeIn(timeZone)) return []
  return [{ field: 'time_zone', message: `is not known: write one such as Europe/Berlin, or UTC` }]
}

/** A reference blocks nothing, so it has neither a rule nor a message. */
function checkReference(item: ItemContent): ItemFault[] {
  const faults: ItemFault[] = []
  for (const [field, value] of Object.entries({ rule: item.rule, message: item.message, at: item.judgedAt })) {
    if (value === null) continue
    faults.push({ field, message: 'belongs to policies and guardrails: leave it out, or make the item a guardrail' })
  }
  if (item.text.trim() === '') faults.push({ field: 'text', message: 'is required: a reference is its text' })
  return faults
}

function checkPlace(item: ItemContent, rule: CompiledRule): ItemFault[] {
  if (item.judgedAt === null || isKnownAt(rule, item.judgedAt)) return []
  const message = `is too early: the rule names \`${rule.knownFrom}\`, which is not known before a ${rule.knownFrom} begins`
  return [{ field: 'at', message }]
}

/** A rule that names an unknown part would fail in every evaluation, and so block everything. */
function checkParts({ expression }: CompiledRule): ItemFault[] {
  return expression.references.flatMap((path) => {
    const wrong = findUnknownPart(path)
    if (!wrong) return []
    const near = nearest(wrong.part, wrong.known)
    const hint = near === undefined ? `known are ${wrong.known.join(', ')}` : `did you mean ${near}?`
    const at = placeOf(expression.text, [...wrong.owner.split('.'), wrong.part])
    return [{ field: 'rule', message: `\`${wrong.owner}\` has no part \`${wrong.part}\`: ${hint}`, at }]
  })
}

function findUnknownPart(path: readonly string[]) {
  for (let length = 1; length < path.length; length += 1) {
    const owner = path.slice(0, length).join('.')
    const known = KNOWN_PARTS[owner]
    const part = path[length]
    if (known && part !== undefined && !known.includes(part)) return { owner, part, known }
  }
  return undefined
}

/** Where the path first stands in the text; line 1, column 1 where the text spells it in another way. */
function placeOf(text: string, path: readonly string[]): { readonly line: number; readonly column: number } {
  const offset = Math.max(0, text.search(new RegExp(`\\b${path.join('\\s*\\.\\s*')}\\b`)))
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
