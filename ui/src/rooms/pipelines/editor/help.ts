import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { hoverTooltip } from '@codemirror/view'
import { namesAt } from '../completion/names.ts'
import { type PlaceInYaml, placeInYaml } from '../completion/place-in-yaml.ts'
import { descriptionOf, nodesAt, type SchemaNode, type Suggestion, suggestionsAt } from '../completion/schema.ts'
import type { Place } from '../reading/places.ts'

/** What the help is made from; the editor is told of it anew while one writes. */
export interface HelpSource {
  readonly schema: SchemaNode | undefined
  readonly places: readonly Place[]
}

export const setHelp = StateEffect.define<HelpSource>()

const helpSource = StateField.define<HelpSource>({
  create: () => ({ schema: undefined, places: [] }),
  update: (known, { effects }) => effects.findLast((effect) => effect.is(setHelp))?.value ?? known,
})

/** Completion, and descriptions under the pointer, from the schema and the names of the document. */
export const HELP: Extension = [
  helpSource,
  autocompletion({ override: [complete], icons: false }),
  hoverTooltip((view, position) => {
    const line = view.state.doc.lineAt(position)
    const word = wordAround(line.text, position - line.from)
    const { schema } = view.state.field(helpSource)
    if (!word || !schema) return null
    const place = placeInYaml(view.state.doc.toString(), line.from + word.to)
    if (!place) return null
    const path = place.kind === 'key' ? [...place.path, place.typed] : place.path
    const text = descriptionOf(nodesAt(schema, path))
    if (text === '') return null
    return { pos: line.from + word.from, end: line.from + word.to, create: () => ({ dom: describe(text) }) }
  }),
]

function complete(context: CompletionContext): CompletionResult | null {
  const { schema, places } = context.state.field(helpSource)
  if (!schema) return null
  const { doc } = context.state
  const place = placeInYaml(doc.toString(), context.pos)
  if (!place || (place.typed === '' && !context.explicit && !place.isFlow)) return null
  const options = [
    ...suggestionsAt(schema, place).map((suggestion) => optionOf(suggestion, place)),
    ...namesAt(places, place.path, doc.lineAt(context.pos).number).map(
      (label): Completion => ({
        label,
        type: 'constant',
      }),
    ),
  ]
  return options.length === 0 ? null : { from: place.from, options, validFor: /^[\w-]*$/ }
}

function optionOf({ label, kind, isRequired, description, shape }: Suggestion, place: PlaceInYaml): Completion {
  return {
    label,
    type: kind === 'key' ? 'property' : 'constant',
    ...(isRequired ? { detail: 'required', boost: 1 } : {}),
    ...(description === '' ? {} : { info: () => describe(description) }),
    ...(kind === 'key' ? { apply: textAfter(label, shape, place) } : {}),
  }
}

/** A key with what begins its value. */
function textAfter(label: string, shape: Suggestion['shape'], { isFlow, indent }: PlaceInYaml): string {
  if (shape === 'scalar' || isFlow) return `${label}: `
  const inner = `\n${' '.repeat(indent + 2)}`
  return `${label}:${inner}${shape === 'list' ? '- ' : ''}`
}

function describe(text: string): HTMLElement {
  const element = document.createElement('div')
  element.className = 'cm-hover'
  element.textContent = text
  return element
}

function wordAround(text: string, column: number): { readonly from: number; readonly to: number } | undefined {
  for (const match of text.matchAll(/[\w.-]+/g)) {
    if (match.index <= column && column <= match.index + match[0].length) {
      return { from: match.index, to: match.index + match[0].length }
    }
  }
  return undefined
}
