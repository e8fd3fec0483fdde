import { Modal } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { usePreferences } from '../../client/preferences.ts'
import { lazyPart } from '../../components/index.ts'
import { meaningOf } from './key-of.ts'
import type { Named } from './offers.ts'

const inDialog = {
  waiting: null,
  frame: (notice: ReactNode, { onClose }: { readonly onClose: () => void }) => (
    <Modal opened onClose={onClose} title="Not to be had" closeButtonProps={{ 'aria-label': 'Close' }}>
      {notice}
    </Modal>
  ),
}
const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette, inDialog)
const KeyHelp = lazyPart(async () => (await import('./key-help.tsx')).KeyHelp, inDialog)

/** How long the letter after `g` may take. */
const GO_MS = 1500

/** A page with the address that it has now. */
export interface KeyedPage {
  readonly label: string
  readonly address: string
  /** After `g`. */
  readonly key: string | undefined
}

/** What a key opens. */
export type KeyedDialog = 'palette' | 'help'

interface KeysProps {
  readonly pages: readonly KeyedPage[]
  readonly actions: readonly Named[]
  readonly shown: KeyedDialog | undefined
  readonly onShow: (dialog: KeyedDialog | undefined) => void
}

/** The keys of all pages, the palette and the help that they open. */
export function Keys({ pages, actions, shown, onShow }: KeysProps): ReactNode {
  const [goneAt, setGoneAt] = useState(0)
  const isQuiet = usePreferences()?.shortcuts === false
  const router = useRouter()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    const isAfterGo = performance.now() - goneAt < GO_MS && goneAt > 0
    const meaning = meaningOf(event, { isTaken: isTaken(event.target), isQuiet, isAfterGo })
    setGoneAt(meaning?.kind === 'go' ? performance.now() : 0)
    if (!meaning) return
    switch (meaning.kind) {
      case 'palette':
      case 'help':
        event.preventDefault()
        return onShow(meaning.kind)
      case 'next':
        return moveInList(event, 1)
      case 'previous':
        return moveInList(event, -1)
      case 'page': {
        const page = pages.find(({ key }) => key === meaning.letter)
        if (!page) return undefined
        event.preventDefault()
        return router.history.push(page.address)
      }
      default:
        return undefined
    }
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  const close = (): void => onShow(undefined)
  const named = pages.map(({ label, address }) => ({ label, deed: { address } }))
  const keyed = pages.flatMap(({ key, label }) => (key === undefined ? [] : [{ key, label }]))
  return (
    <>
      {shown === 'palette' && <Palette pages={named} actions={actions} onClose={close} />}
      {shown === 'help' && <KeyHelp pages={keyed} onClose={close} />}
    </>
  )
}

/** Somebody types there, or a dialog or a menu is open and has the keys. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable || target.closest('input, textarea, select, [role="textbox"], [role="combobox"]') !== null
  )
}

/** The focus goes to the link of the next row, or of the row before. */
function moveInList(event: KeyboardEvent, step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main [data-list-link]')]
  if (links.length === 0) return
  event.preventDefault()
  const at = links.findIndex((link) => link === document.activeElement)
  const next = at === -1 ? (step === 1 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + step))
  links[next]?.focus()
  links[next]?.scrollIntoView({ block: 'nearest' })
}
