import { type Static, Type } from 'typebox'

// Whose words a text of an answer are. Agents read answers, and a text of others can pose as an instruction. So a text
// counts as that of others unless its type says that it is ours: a new field cannot forget it.

/** Marks a text that Signalbox wrote, or that a member of a team chose as the name of a thing of Signalbox. */
export const OWN_WORDS = 'x-own-words'

/**
 * Spread into the options of a text of ours: `Type.String({ ...OURS, maxLength: 200 })`; or into those of a record whose
 * names are ours, such as paths of teams. A record without it is one text of others: its names can be sentences.
 */
export const OURS = { [OWN_WORDS]: true } as const

/**
 * A sentence of ours. It quotes nothing from outside: no branch, commit, sender, title, line of a log, payload or path
 * in a repository. It may hold ids, numbers, times, and names of things of Signalbox.
 */
export const Sentence = Type.String(OURS)
export type Sentence = Static<typeof Sentence>

/**
 * The name of a thing of Signalbox that a member chose: of a schedule, a trigger, a runner, a step, a task. Names that may be
 * any text, such as those of sources and tokens, are none: they can be sentences.
 */
export const OwnName = Type.String(OURS)

/** The kinds of things that a sentence can rest on. */
export const EVIDENCE_KINDS = [
  'run',
  'step',
  'task',
  'attempt',
  'log_line',
  'delivery',
  'event',
  'source',
  'trigger',
  'override',
  'pipeline',
  'schedule',
  'fire',
  'runner',
  'approval',
  'emergency',
  'knowledge_item',
  'team',
  'grant',
  'subject',
  'token',
] as const

/** A thing that a sentence rests on; the reader of the sentence may see it. */
export const Evidence = Type.Object({
  kind: Type.Enum([...EVIDENCE_KINDS]),
  id: Type.String({ ...OURS, description: 'An id, or a name of a step or task within its run: `build/test`.' }),
  run_id: Type.Optional(Type.String({ format: 'uuid' })),
  /** Of a line of a log. */
  line: Type.Optional(Type.Integer({ minimum: 0 })),
})
export type Evidence = Readonly<Static<typeof Evidence>>

/** One sentence of an explanation with what it rests on. */
export const Finding = Type.Object({
  /** A word that programs compare: `trigger.branch_differs`. */
  code: Type.String(OURS),
  sentence: Sentence,
  evidence: Type.Array(Evidence, { maxItems: 20 }),
})
export type Finding = Readonly<Static<typeof Finding>>
