import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The editor in the colours of the theme, which change with the scheme by themselves. */
export const APPEARANCE = [
  EditorView.theme({
    '&': {
      height: '100%',
      color: 'var(--sb-text)',
      backgroundColor: 'var(--sb-surface)',
      fontSize: 'var(--mantine-font-size-sm)',
    },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.5' },
    '.cm-content': { caretColor: 'var(--sb-text)' },
    '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--sb-text)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--sb-selected)',
    },
    '.cm-gutters': {
      color: 'var(--sb-muted)',
      backgroundColor: 'var(--sb-surface)',
      borderRight: '1px solid var(--sb-line)',
    },
    '.cm-activeLine, .cm-activeLineGutter': {
      backgroundColor: 'color-mix(in srgb, var(--sb-raised) 55%, transparent)',
    },
    '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--sb-selected)' },
    '.cm-tooltip': {
      maxWidth: 'min(90vw, 32rem)',
      border: '1px solid var(--sb-control)',
      borderRadius: 'var(--mantine-radius-sm)',
      color: 'var(--sb-text)',
      backgroundColor: 'var(--sb-surface)',
      fontSize: 'var(--mantine-font-size-sm)',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: 'var(--mantine-spacing-xs) var(--mantine-spacing-sm)' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      color: 'var(--sb-text)',
      backgroundColor: 'var(--sb-selected)',
    },
    '.cm-completionDetail': { color: 'var(--sb-muted)', fontStyle: 'normal' },
    '.cm-completionInfo, .cm-hover': { padding: 'var(--mantine-spacing-sm)' },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--sb-failure-bar)' },
    '.cm-diagnostic-warning': { borderLeftColor: 'var(--sb-warning-bar)' },
    '.cm-lintRange-error': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--sb-failure-bar)',
      textUnderlineOffset: '0.2em',
    },
    '.cm-lintRange-warning': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--sb-warning-bar)',
      textUnderlineOffset: '0.2em',
    },
    '.cm-panels': { color: 'var(--sb-text)', backgroundColor: 'var(--sb-raised)' },
    '.cm-searchMatch': { backgroundColor: 'var(--sb-warning-tint)' },
    '.cm-searchMatch-selected': { outline: '1px solid var(--sb-warning-bar)' },
    '&.cm-merge-b .cm-changedLine, .cm-changedLine, .cm-inlineChangedLine': {
      backgroundColor: 'var(--sb-success-tint)',
    },
    '&.cm-merge-b .cm-changedText, .cm-changedText': {
      background: 'none',
      textDecoration: 'underline var(--sb-success-bar)',
    },
    '.cm-deletedChunk': { backgroundColor: 'var(--sb-failure-tint)' },
    '.cm-deletedChunk .cm-deletedText': { background: 'none', textDecoration: 'underline var(--sb-failure-bar)' },
    '.cm-changeGutter .cm-changedLineGutter': { backgroundColor: 'var(--sb-success-bar)' },
    '.cm-changeGutter .cm-deletedLineGutter': { backgroundColor: 'var(--sb-failure-bar)' },
    '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"…"' },
    '.cm-collapsedLines': { color: 'var(--sb-muted)', background: 'var(--sb-raised)' },
    '.cm-chunkButtons button': {
      minHeight: 'var(--sb-target)',
      border: '1px solid var(--sb-control)',
      borderRadius: 'var(--mantine-radius-xs)',
      color: 'var(--sb-text)',
      background: 'var(--sb-surface)',
      font: 'inherit',
    },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--sb-link)' },
      { tag: [tags.string, tags.special(tags.string)], color: 'var(--sb-success-text)' },
      { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--sb-paused-text)' },
      { tag: tags.comment, color: 'var(--sb-muted)', fontStyle: 'italic' },
      { tag: [tags.meta, tags.labelName, tags.typeName], color: 'var(--sb-timed_out-text)' },
      { tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--sb-muted)' },
    ]),
  ),
]
