import { base64Forms, digitForms, doubleBase64Forms, hexForms, percentOfBase64 } from './encoded-forms.ts'
import { doublePercentForms, percentForms } from './percent-forms.ts'
import { htmlForms, jsonForms, quotedForms } from './quoted-forms.ts'

/** A whole value shorter than this is not masked: `1` or `on` would turn every log into stars. */
const SHORTEST_WHOLE = 3
/** Usual forms, and lines of a multi-line value, are not shorter than this either. */
const SHORTEST_USUAL = 4
/** A shorter value has no rare forms: `1234` reversed, or its bytes as numbers, stand in many logs. */
const SHORTEST_RARE = 8
/** The rare forms of a longer value are not looked for: they take some hundred times its length, and 0.2 s to make. */
const LONGEST_RARE = 4096
/** All rare forms together: a search that is larger than the processor's cache becomes slow. */
const MOST_RARE_BYTES = 1024 * 1024

/** Every text that gives a value away and has to be masked, by the way it is looked for. */
export interface Forms {
  /** As they stand. */
  readonly texts: Set<string>
  /** Base64 in the standard alphabet, which line breaks may cut anywhere. */
  readonly base64: Set<string>
  /** Digits of bytes, with whatever programs write between them. */
  readonly digits: Set<string>
  /** How many values are so long that only their usual forms are among these. */
  readonly shortened: number
}

export function collectForms(values: Iterable<string>): Forms {
  const wholes = new Set(Array.from(values, (value) => value.trim().toWellFormed()).filter(isLong(SHORTEST_WHOLE)))
  const forms = { texts: new Set<string>(), base64: new Set<string>(), digits: new Set<string>() }
  for (const whole of wholes) addUsual(forms, whole)
  let shortened = 0
  let left = MOST_RARE_BYTES
  for (const whole of wholes) {
    if (whole.length < SHORTEST_RARE) continue
    const rare = whole.length <= LONGEST_RARE ? rareForms(whole) : undefined
    left -= rare?.bytes ?? 0
    if (rare === undefined || left < 0) shortened += 1
    else for (const kind of ['texts', 'base64', 'digits'] as const) for (const form of rare[kind]) forms[kind].add(form)
  }
  return { ...forms, shortened }
}

function isLong(shortest: number) {
  return (text: string): boolean => text.length >= shortest
}

function linesOf(whole: string): string[] {
  const lines = whole.split(/\r\n|\n|\r/).map((line) => line.trim())
  return lines.length > 1 ? lines.filter(isLong(SHORTEST_USUAL)) : []
}

function addUsual({ texts, base64 }: Pick<Forms, 'texts' | 'base64'>, whole: string): void {
  texts.add(whole)
  for (const line of linesOf(whole)) texts.add(line)
  if (whole.length < SHORTEST_USUAL) return
  const bytes = new TextEncoder().encode(whole)
  for (const form of [...percentForms(whole), ...jsonForms(whole), ...quotedForms(whole), ...hexForms(bytes)])
    texts.add(form)
  for (const form of base64Forms(bytes)) if (form.length >= SHORTEST_USUAL) base64.add(form)
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('')
}

function rareForms(whole: string) {
  const lines = linesOf(whole).filter(isLong(SHORTEST_RARE))
  const json = jsonForms(whole)
  const percent = percentForms(whole)
  const texts = new Set<string>([
    ...[whole, ...lines].flatMap((text) => [reversed(text), ...htmlForms(text), ...casesOf(text)]),
    ...lines.flatMap((line) => [...percentForms(line), ...jsonForms(line), ...quotedForms(line)]),
    ...doublePercentForms(whole),
    ...[...new Set(json)].flatMap(jsonForms),
    Array.from(whole).join('\0'),
  ])
  const once = base64Forms(new TextEncoder().encode(whole))
  const inner = new Set([...json.slice(0, 4), ...percent.slice(0, 4)])
  inner.delete(whole)
  const base64 = new Set(
    [...doubleBase64Forms(whole, [...inner]), ...percentOfBase64(once)].filter(isLong(SHORTEST_RARE)),
  )
  const digits = new Set(digitForms(whole).filter(isLong(SHORTEST_RARE)))
  const bytes = [...texts, ...base64, ...digits].reduce((sum, form) => sum + form.length, 0)
  return { texts, base64, digits, bytes }
}

/** Without a letter in it a text has one case only, and is there already. */
function casesOf(text: string): string[] {
  return [text.toLowerCase(), text.toUpperCase()]
}
