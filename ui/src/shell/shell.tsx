import { Burger, Drawer } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { LiveProvider } from '../client/index.ts'
import { Banners } from './banners.tsx'
import { NavigationBar } from './navigation-bar.tsx'
import styles from './shell.module.css'
import { SignInAgain } from './sign-in-again.tsx'
import { UserMenu } from './user-menu.tsx'

/** The frame of every page: navigation, banners, and the page itself. */
export function Shell(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <LiveProvider>
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
          <span className={styles['name']}>Signalbox</span>
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
    </LiveProvider>
  )
}

/** The hash of the address belongs to the router: the focus is moved by hand. */
function focusContent(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#content')?.focus()
}
