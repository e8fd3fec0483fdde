import { Burger, Drawer } from '@mantine/core'
import { Link, Outlet, useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { LiveProvider } from '../client/index.ts'
import { useMe } from '../client/session.ts'
import { ApplyPreferences } from './apply-preferences.tsx'
import { Banners } from './banners.tsx'
import { type KeyedDialog, type KeyedPage, Keys } from './keys/keys.tsx'
import { SearchButton } from './keys/search-button.tsx'
import { addressOf, NavigationBar } from './navigation-bar.tsx'
import styles from './shell.module.css'
import { useShownTeam } from './shown-team.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { UserMenu } from './user-menu.tsx'

/** The frame of every page: navigation, banners, and the page itself. */
export function Shell(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const [keyed, setKeyed] = useState<KeyedDialog>()
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
              size="sm"
              opened={isOpen}
              onClick={() => setOpen(!isOpen)}
              aria-label="Navigation"
            />
            <Link to="/" className={styles['name']}>
              <img className={styles['mark']} src="./icon.svg" alt="" />
              Signalbox
            </Link>
            <SearchButton onPress={() => setKeyed('palette')} />
            <UserMenu />
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
        <SignInAgain />
        <Drawer opened={isOpen} onClose={() => setOpen(false)} size="xs" title="Signalbox">
          <NavigationBar onLeave={() => setOpen(false)} />
        </Drawer>
        <Keys pages={useKeyedPages()} shown={keyed} onShow={setKeyed} />
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
  return [...pages, { label: 'Preferences', address: '/preferences', key: undefined }]
}

/** The hash of the address belongs to the router: the focus is moved by hand. */
function focusContent(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#content')?.focus()
}
