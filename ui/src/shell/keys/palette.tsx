import { Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { searchRoutes } from '@signalbox/contracts/search/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { read } from '../../client/index.ts'
import { useMayDo } from '../../client/session.ts'
import { ForeignText, lackOf } from '../../components/index.ts'
import { type Named, type Offer, offersOf } from './offers.ts'
import styles from './palette.module.css'

interface PaletteProps {
  readonly pages: readonly Named[]
  readonly actions: readonly Named[]
  readonly onClose: () => void
}

const TYPING_MS = 120

/** Pages, actions and things by name: type, choose with the arrows, open or do with Enter. */
export function Palette({ onClose, ...named }: PaletteProps): ReactNode {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const router = useRouter()
  const offers = useOffers(typed, named)
  const current = Math.min(at, Math.max(0, offers.length - 1))
  const list = useRef<HTMLDivElement>(null)
  // What the arrows choose stays in sight; what the mouse chooses is there.
  useEffect(() => {
    list.current?.children.item(current)?.scrollIntoView({ block: 'nearest' })
  }, [current])

  function open(offer: Offer | undefined): void {
    if (!offer || offer.lack !== undefined) return
    onClose()
    if ('perform' in offer.deed) offer.deed.perform()
    else router.history.push(offer.deed.address)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const move = moves[event.key]
    if (move !== undefined && offers.length > 0) {
      event.preventDefault()
      setAt((current + move + offers.length) % offers.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      open(offers[current])
    }
  }

  return (
    <Modal opened onClose={onClose} title="Go to" size="lg" yOffset="10vh">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Pages, actions and things"
        aria-expanded={offers.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={offers.length > 0 ? `${id}-${current}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="A page, an action, a name, or the first digits of a run or commit"
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Found" className={styles['list']}>
        {offers.map((offer, index) => (
          // The field has the focus, and its arrows choose: a row is pressed, never focused.
          <div
            key={offer.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            aria-disabled={offer.lack !== undefined || undefined}
            className={styles['offer']}
            onClick={() => open(offer)}
            onKeyDown={onKeyDown}
            onMouseMove={() => setAt(index)}
          >
            <span className={styles['kind']}>{offer.kind.replaceAll('_', ' ')}</span>
            <span className={styles['title']}>
              <ForeignText>{offer.label}</ForeignText>
            </span>
            {offer.detail !== null && (
              <span className={styles['detail']}>
                <ForeignText>{offer.detail}</ForeignText>
              </span>
            )}
          </div>
        ))}
      </div>
      <p className={styles['hint']} aria-live="polite">
        {offers.length === 0 ? 'Nothing that you may see is called so.' : ''}
      </p>
    </Modal>
  )
}

/** What fits to what was typed. */
function useOffers(typed: string, { pages, actions }: Omit<PaletteProps, 'onClose'>): readonly Offer[] {
  const router = useRouter()
  const mayDo = useMayDo()
  const [asked] = useDebouncedValue(typed.trim().toLowerCase(), TYPING_MS)
  const found = useQuery({
    ...read(searchRoutes.search, { query: { q: asked } }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  return offersOf({
    typed,
    pages,
    actions,
    hits: typed.trim() === '' ? [] : (found.data?.hits ?? []),
    hasRoute: (route) => Object.hasOwn(router.routesByPath, route),
    lackOf: (permission, at) => (mayDo(permission, at) ? undefined : lackOf(permission, at)),
  })
}
