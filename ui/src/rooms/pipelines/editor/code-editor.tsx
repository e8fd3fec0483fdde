import { acceptCompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { getNonce } from 'get-nonce'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { APPEARANCE } from './appearance.ts'
import styles from './editor.module.css'
import { HELP, type HelpSource, setHelp } from './help.ts'
import { type PlacedProblem, rangeInLine } from './problem-range.ts'

export interface CodeEditorProps {
  /** What a reader hears. */
  readonly label: string
  readonly text: string
  /** Absent: the text is only read. */
  readonly onChange?: (text: string) => void
  readonly problems?: readonly PlacedProblem[]
  readonly warnings?: readonly PlacedProblem[]
  /** The line that the cursor is moved to; a new object moves it again. */
  readonly goTo?: { readonly line: number; readonly column?: number } | undefined
  /** Hears of the line of the cursor. */
  readonly onLine?: (line: number) => void
  readonly onSave?: () => void
  /** Escape was pressed. */
  readonly onLeave?: () => void
  readonly help?: HelpSource
  /** As they are when the editor is first shown. */
  readonly extensions?: Extension
}

const NONE: readonly PlacedProblem[] = []

/** A text of YAML, to read or to write. */
export function CodeEditor(props: CodeEditorProps): ReactNode {
  const { text, problems = NONE, warnings = NONE, goTo, help } = props
  const place = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView>()
  const tell = useEffectEvent((event: EditorEvent) => {
    if (event.kind === 'text') props.onChange?.(event.text)
    else if (event.kind === 'line') props.onLine?.(event.line)
    else if (event.kind === 'save') props.onSave?.()
    else props.onLeave?.()
  })
  const create = useEffectEvent((parent: HTMLElement) => new EditorView({ parent, state: stateOf(props, tell) }))
  useEffect(() => {
    if (!place.current) return undefined
    const made = create(place.current)
    setView(made)
    return () => made.destroy()
  }, [])
  useEffect(() => {
    if (!view || view.state.doc.toString() === text) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
  }, [view, text])
  useEffect(() => {
    if (!view) return
    const { state } = view
    const found = [...diagnosticsOf(state, problems, 'error'), ...diagnosticsOf(state, warnings, 'warning')]
    view.dispatch(setDiagnostics(state, found))
  }, [view, problems, warnings])
  useEffect(() => {
    if (view && help) view.dispatch({ effects: setHelp.of(help) })
  }, [view, help])
  useEffect(() => {
    if (!view || !goTo) return
    const line = view.state.doc.line(Math.min(Math.max(goTo.line, 1), view.state.doc.lines))
    const anchor = Math.min(line.from + (goTo.column ?? 1) - 1, line.to)
    view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
  }, [view, goTo])
  return <div ref={place} className={styles['code']} data-read-only={props.onChange === undefined || undefined} />
}

type EditorEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'save' | 'leave' }

function stateOf(props: CodeEditorProps, tell: (event: EditorEvent) => void): EditorState {
  const isReadOnly = props.onChange === undefined
  return EditorState.create({
    doc: props.text,
    extensions: [
      EditorView.cspNonce.of(getNonce() ?? ''),
      yaml(),
      indentUnit.of('  '),
      lineNumbers(),
      highlightActiveLineGutter(),
      drawSelection(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      bracketMatching(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': props.label, spellcheck: 'false' }),
      EditorState.readOnly.of(isReadOnly),
      isReadOnly ? EditorView.contentAttributes.of({ 'aria-readonly': 'true' }) : writing(tell),
      props.extensions ?? [],
      keymap.of([...lintKeymap, ...searchKeymap, ...defaultKeymap]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) tell({ kind: 'text', text: update.state.doc.toString() })
        if (update.selectionSet || update.docChanged) {
          tell({ kind: 'line', line: update.state.doc.lineAt(update.state.selection.main.head).number })
        }
      }),
      HELP,
      APPEARANCE,
    ],
  })
}

/**
 * Tab indents once something was typed or pressed, so that Tab alone still passes through the page; Escape ends that and
 * leaves the editor.
 */
function writing(tell: (event: EditorEvent) => void): Extension {
  let isWriting = false
  return [
    history(),
    indentOnInput(),
    lintGutter(),
    EditorView.domEventHandlers({
      focus: () => void (isWriting = false),
      pointerdown: () => void (isWriting = true),
      beforeinput: () => void (isWriting = true),
    }),
    keymap.of([
      ...completionKeymap,
      {
        key: 'Tab',
        run: (view) => acceptCompletion(view) || (isWriting && indentMore(view)),
        shift: (view) => isWriting && indentLess(view),
      },
      {
        key: 'Mod-s',
        run: () => {
          tell({ kind: 'save' })
          return true
        },
      },
      ...historyKeymap,
    ]),
    // After the keymaps of completion and search, which close what they opened.
    keymap.of([
      {
        key: 'Escape',
        run: () => {
          isWriting = false
          tell({ kind: 'leave' })
          return true
        },
      },
    ]),
  ]
}

function diagnosticsOf(
  { doc }: EditorState,
  problems: readonly PlacedProblem[],
  severity: Diagnostic['severity'],
): readonly Diagnostic[] {
  return problems.map(({ line: number, column, message }) => {
    const line = doc.line(Math.min(Math.max(number, 1), doc.lines))
    const { from, to } = rangeInLine(line.text, column)
    return { from: line.from + from, to: line.from + to, severity, message }
  })
}
