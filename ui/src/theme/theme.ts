import { type CSSVariablesResolver, createTheme, DEFAULT_THEME, type MantineColorsTuple } from '@mantine/core'
import { DARK, LIGHT, propertiesOf, type Scheme, type ToneColours } from './tokens.ts'

const BLUE: MantineColorsTuple = [
  '#e1effd',
  '#c6dff8',
  '#9cc8f3',
  '#6cb6ff',
  '#3b8fe6',
  '#1f78d1',
  '#1268c4',
  '#0b5cad',
  '#084b8f',
  '#063a70',
]

/** What is dangerous, what warns and what went well: Mantine's own are too pale for white text, and as text. */
const RED: MantineColorsTuple = [
  '#fde7e7',
  '#fcdcdc',
  '#f7b5b7',
  '#ff938f',
  '#e5565c',
  '#d1363f',
  '#c02731',
  '#b01f28',
  '#971a22',
  '#8c1620',
]
const YELLOW: MantineColorsTuple = [
  '#fdf5e3',
  '#fcefd2',
  '#f7dfa6',
  '#ecb954',
  '#dba237',
  '#b57400',
  '#9d6200',
  '#855000',
  '#704300',
  '#5c3700',
]
const GREEN: MantineColorsTuple = [
  '#eef9f1',
  '#e1f4e7',
  '#b7e3c4',
  '#66d387',
  '#37a45a',
  '#2b8a47',
  '#217a3b',
  '#17692f',
  '#125526',
  '#0d431d',
]

/** Mantine's grounds and borders of the dark scheme, from text to canvas. */
const GREYS: MantineColorsTuple = [
  DARK.text,
  '#c6ccd4',
  DARK.muted,
  DARK.control,
  '#3a434e',
  DARK.line,
  DARK.surface,
  DARK.canvas,
  '#0b0e11',
  '#07090b',
]

export const THEME = createTheme({
  primaryColor: 'note',
  primaryShade: 7,
  // Outside of the theme a colour has the name of what it means; `dark` is Mantine's own word for the grounds.
  colors: { note: BLUE, danger: RED, caution: YELLOW, good: GREEN, plain: DEFAULT_THEME.colors.gray, dark: GREYS },
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.4', xl: '1.3' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '6px', xl: '6px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Anchor: { defaultProps: { inherit: true } },
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { size: 'md', variant: 'subtle', color: 'plain' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm' } },
    MultiSelect: { defaultProps: { size: 'sm' } },
    // A closed list is not there: else each page is drawn with all of its choices, and laid out to place them.
    Combobox: { defaultProps: { keepMounted: false } },
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'sm' } },
    Modal: { defaultProps: { transitionProps: { duration: 100 }, closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // The placeholder is a child that no menu may have.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 0 } } },
  },
})

/** Buttons and notices that Mantine calls light or subtle: our words on our tints, in both schemes. */
function softly(colour: string, { text, tint }: Pick<ToneColours, 'text' | 'tint'>): Record<string, string> {
  return {
    [`--mantine-color-${colour}-light`]: tint,
    [`--mantine-color-${colour}-light-hover`]: tint,
    [`--mantine-color-${colour}-light-color`]: text,
  }
}

/** Gives Mantine's own names our colours, so that its components look as ours do. */
function mantineOf(scheme: Scheme): Record<string, string> {
  return {
    ...propertiesOf(scheme),
    '--mantine-color-body': scheme.surface,
    '--mantine-color-text': scheme.text,
    '--mantine-color-dimmed': scheme.muted,
    '--mantine-color-anchor': scheme.link,
    '--mantine-color-placeholder': scheme.muted,
    '--mantine-color-default': scheme.surface,
    '--mantine-color-default-hover': scheme.raised,
    '--mantine-color-default-color': scheme.text,
    '--mantine-color-default-border': scheme.control,
    '--mantine-color-error': scheme.tones.failure.text,
    ...softly('danger', scheme.tones.failure),
    ...softly('caution', scheme.tones.warning),
    ...softly('good', scheme.tones.success),
    ...softly('note', { text: scheme.link, tint: scheme.selected }),
  }
}

export const PROPERTIES: CSSVariablesResolver = () => ({
  variables: {
    '--sb-row': '32px',
    '--sb-row-comfortable': '40px',
    '--sb-field': '36px',
    '--sb-form': '720px',
    '--sb-navigation': '216px',
    '--sb-bar': '44px',
    '--sb-log-size': '12px',
    '--sb-log-row': '18px',
    '--sb-icon': '16px',
    '--sb-strip': '14px',
    '--sb-target': '24px',
  },
  light: mantineOf(LIGHT),
  dark: mantineOf(DARK),
})
