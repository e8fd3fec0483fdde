import { Burger, Drawer } from '@mantine/core'
import { Link, Outlet, useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { LiveProvider } from '../client/index.ts'
import { useMe } from '../client/session.ts'
import { ApplyPreferences } from './apply-preferences.tsx'
import { Banners } from './banners.tsx'
import { type KeyedDialog, type KeyedPage, Keys } from './keys/keys.tsx'
import { SearchButton } from './keys/search-button.tsx'
import { useLeaving } from './leaving.tsx'
import { addressOf, NavigationBar } from './navigation-bar.tsx'
import { ACCOUNT_PAGES, usePaletteActions } from './palette-actions.ts'
import styles from './shell.module.css'
import { useShownTeam } from './shown-team.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { UserMenu } from './user-menu.tsx'

/** The frame of every page: navigation, banners, and the page itself. */
export function Shell(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [keyed, setKeyed] = useState<KeyedDialog>()
  const { leave, dialog } = useLeaving()
  return (
    <LiveProvider>
      <ApplyPreferences>
        <a className={styles['skip']} href="#content" onClick={focusContent}>
          Skip to the content
        </a>
        <div className={styles['shell']}>
          <header className={styles['bar']}>
            <Burger
              className={styles['burger']}
              size="md"
              opened={isOpen}
              onClick={() => setOpen(!isOpen)}
              aria-label="Navigation"
            />
            <Link to="/" className={styles['name']}>
              <img className={styles['mark']} src="./icon.svg" alt="" />
              Signalbox
            </Link>
            <SearchButton onPress={() => setKeyed('palette')} />
            <UserMenu onLeave={leave} />
          </header>
          <Banners />
          <div className={styles['columns']}>
            <div className={styles['navigation']}>
              <NavigationBar />
            </div>
            <main className={styles['content']} id="content" tabIndex={-1}>
              <Outlet />
            </main>
          </div>
        </div>
        {dialog}
        <SignInAgain />
        <Drawer opened={isOpen} onClose={() => setOpen(false)} size="xs" title="Signalbox">
          <NavigationBar onLeave={() => setOpen(false)} />
        </Drawer>
        <Keys pages={useKeyedPages()} actions={usePaletteActions(leave)} shown={keyed} onShow={setKeyed} />
      </ApplyPreferences>
    </LiveProvider>
  )
}

/** The pages that the person may open, for the team that is chosen. */
function useKeyedPages(): readonly KeyedPage[] {
  const { navigation } = useRouteContext({ from: '__root__' })
  const team = useShownTeam()
  const held = new Set(Object.values(useMe()?.capabilities.permissions ?? {}).flat())
  const pages = navigation
    .filter(({ permission }) => permission === undefined || held.has(permission))
    .map((entry) => ({ label: entry.label, address: addressOf(entry, team), key: entry.key }))
  return [...pages, ...ACCOUNT_PAGES]
}

/** The hash of the address belongs to the router: the focus is moved by hand. */
function focusContent(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#content')?.focus()
}
