// Every colour of the page, for light and dark. The contrast of each pair is held by tokens.test.ts.

/** The eight looks of a status; words of the API are mapped to them in statuses.ts. */
export const TONES = ['queued', 'running', 'paused', 'success', 'warning', 'failure', 'timed_out', 'canceled'] as const
export type Tone = (typeof TONES)[number]

export interface ToneColours {
  readonly text: string
  readonly tint: string
  readonly bar: string
}

export interface Scheme {
  readonly canvas: string
  readonly surface: string
  /** A row under the pointer, a field that cannot be changed. */
  readonly raised: string
  readonly text: string
  readonly muted: string
  /** The border of a control: at least 3:1 on the surface. */
  readonly control: string
  /** A line between parts, which carries no meaning. */
  readonly line: string
  readonly link: string
  readonly selected: string
  readonly tones: Readonly<Record<Tone, ToneColours>>
  /** The sixteen colours of a terminal, readable on the log's ground. */
  readonly terminal: readonly string[]
}

export const LIGHT: Scheme = {
  canvas: '#f6f7f9',
  surface: '#ffffff',
  raised: '#eef0f3',
  text: '#1a1e24',
  muted: '#5a6370',
  control: '#858e9b',
  line: '#dde1e6',
  link: '#0b5cad',
  selected: '#e1effd',
  tones: {
    queued: { text: '#535e6b', tint: '#e9edf1', bar: '#7b8794' },
    running: { text: '#0b5cad', tint: '#e1effd', bar: '#1f78d1' },
    paused: { text: '#6a3fb3', tint: '#f0e9fb', bar: '#8458cf' },
    success: { text: '#17692f', tint: '#e1f4e7', bar: '#2b8a47' },
    warning: { text: '#855000', tint: '#fcefd2', bar: '#b57400' },
    failure: { text: '#b01f28', tint: '#fde7e7', bar: '#d1363f' },
    timed_out: { text: '#9c3b06', tint: '#fce8dc', bar: '#c9581a' },
    canceled: { text: '#575b62', tint: '#ececee', bar: '#83878f' },
  },
  terminal: [
    '#1a1e24',
    '#b01f28',
    '#17692f',
    '#855000',
    '#0b5cad',
    '#8a2b8f',
    '#0f6674',
    '#5a6370',
    '#535e6b',
    '#c4232d',
    '#1c7a37',
    '#8f5a00',
    '#1268c4',
    '#9c36a1',
    '#127584',
    '#3b424c',
  ],
}

export const DARK: Scheme = {
  canvas: '#0f1216',
  surface: '#171b21',
  raised: '#20262e',
  text: '#e6e9ee',
  muted: '#9ba5b2',
  control: '#6b7685',
  line: '#2b323b',
  link: '#6cb6ff',
  selected: '#12283f',
  tones: {
    queued: { text: '#a3b0be', tint: '#222930', bar: '#77838f' },
    running: { text: '#74baff', tint: '#12283f', bar: '#3b8fe6' },
    paused: { text: '#bda2f7', tint: '#2a2140', bar: '#9b7be0' },
    success: { text: '#66d387', tint: '#112f1b', bar: '#37a45a' },
    warning: { text: '#ecb954', tint: '#33270c', bar: '#c78f1e' },
    failure: { text: '#ff938f', tint: '#3e1719', bar: '#e5565c' },
    timed_out: { text: '#ffa367', tint: '#3a2010', bar: '#dd7030' },
    canceled: { text: '#aeb2b9', tint: '#26292d', bar: '#7d828b' },
  },
  terminal: [
    '#8b95a3',
    '#ff938f',
    '#66d387',
    '#ecb954',
    '#74baff',
    '#e0a0e8',
    '#62cddb',
    '#c6ccd4',
    '#9ba5b2',
    '#ffaaa7',
    '#86e0a2',
    '#f3cb7a',
    '#99cdff',
    '#ebb9f1',
    '#8adde8',
    '#f2f4f7',
  ],
}

/** The custom properties of a scheme, such as `--sb-failure-text`. */
export function propertiesOf(scheme: Scheme): Record<string, string> {
  const { tones, terminal, ...ground } = scheme
  return Object.fromEntries([
    ...Object.entries(ground).map(([name, value]) => [`--sb-${name}`, value]),
    ...Object.entries(tones).flatMap(([tone, colours]) =>
      Object.entries(colours).map(([part, value]) => [`--sb-${tone}-${part}`, value]),
    ),
    ...terminal.map((value, index) => [`--sb-terminal-${index}`, value]),
  ])
}
