import { integerOf, type SourceNode, textOf } from '../source-tree.ts'
import type { Outline } from './outline.ts'
import { listOf, placedProse, placedText, placedValues } from './placed.ts'
import { readCheckout } from './read-checkout.ts'
import { directivesOf } from './read-node.ts'
import { readStep } from './read-step.ts'

export function readOutline(root: SourceNode): Outline {
  const at = directivesOf(root)
  const concurrency = directivesOf(at('concurrency'))
  const group = placedProse(concurrency('group'), 'concurrency.group')
  return {
    name: placedText(at('name'), 'name'),
    variables: placedValues(at('variables'), 'variables'),
    secrets: placedValues(at('secrets'), 'secrets', textOf),
    profile: placedText(at('profile'), 'profile'),
    timeout: placedText(at('timeout'), 'timeout'),
    queueTimeout: placedText(at('queue_timeout'), 'queue_timeout'),
    priority: integerOf(at('priority')),
    checkout: readCheckout(at('checkout'), 'checkout'),
    concurrency: group && { group, onConflict: textOf(concurrency('on_conflict')) },
    steps: listOf(at('steps'), 'steps').map(([node, directive]) => readStep(node, directive)),
    finalOutputs: listOf(at('final_outputs'), 'final_outputs').map(([node, directive]) => {
      const of = directivesOf(node)
      return {
        directive,
        line: node.line,
        column: node.column,
        name: placedText(of('name'), `${directive}.name`),
        format: textOf(of('format')),
        template: placedText(of('template'), `${directive}.template`),
      }
    }),
  }
}
