import { Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { searchRoutes } from '@signalbox/contracts/search/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { read } from '../../client/index.ts'
import { ForeignText } from '../../components/index.ts'
import { pagesOf } from './addresses.ts'
import styles from './palette.module.css'

/** A page that the palette offers by name. */
export interface PalettePage {
  readonly label: string
  readonly address: string
}

interface PaletteProps {
  readonly pages: readonly PalettePage[]
  readonly onClose: () => void
}

interface Offer {
  readonly key: string
  readonly kind: string
  readonly title: string
  readonly detail: string | null
  readonly address: string
}

const TYPING_MS = 120

/** Pages and things by name: type, choose with the arrows, open with Enter. */
export function Palette({ pages, onClose }: PaletteProps): ReactNode {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const router = useRouter()
  const offers = useOffers(typed, pages)
  const current = Math.min(at, Math.max(0, offers.length - 1))

  function open(offer: Offer | undefined): void {
    if (!offer) return
    onClose()
    router.history.push(offer.address)
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
        aria-label="Pages and things"
        aria-expanded={offers.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={offers.length > 0 ? `${id}-${current}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="A page, a name, or the first digits of a run or commit"
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Found" className={styles['list']}>
        {offers.map((offer, index) => (
          // The field has the focus, and its arrows choose: a row is pressed, never focused.
          <div
            key={offer.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            className={styles['offer']}
            onClick={() => open(offer)}
            onKeyDown={onKeyDown}
            onMouseMove={() => setAt(index)}
          >
            <span className={styles['kind']}>{offer.kind.replaceAll('_', ' ')}</span>
            <span className={styles['title']}>
              <ForeignText>{offer.title}</ForeignText>
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

/** Pages whose name fits, then what the server found. */
function useOffers(typed: string, pages: readonly PalettePage[]): readonly Offer[] {
  const router = useRouter()
  const text = typed.trim().toLowerCase()
  const [asked] = useDebouncedValue(text, TYPING_MS)
  const found = useQuery({
    ...read(searchRoutes.search, { query: { q: asked } }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  const named = pages
    .filter(({ label }) => label.toLowerCase().includes(text))
    .map(({ label, address }) => ({ key: address, kind: 'page', title: label, detail: null, address }))
  if (text === '') return named
  const hits = (found.data?.hits ?? []).flatMap((hit): Offer[] => {
    // A room of a later version brings its pages; until then the list, or nothing.
    const address = pagesOf(hit).find(({ route }) => Object.hasOwn(router.routesByPath, route))?.address
    return address === undefined
      ? []
      : [{ key: `${hit.kind} ${hit.id}`, kind: hit.kind, title: hit.title, detail: hit.detail, address }]
  })
  return [...named, ...hits]
}
