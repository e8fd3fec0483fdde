import './theme/page.css'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { presence } from './client/index.ts'
import { loadAhead } from './routes.ts'
import { THEME } from './theme/index.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// Dialogs lock the scroll by a style of their own.
setNonce(nonce)

// The browser itself asks when it has laid text out, and lays all of it out again. Without the font the text stands all the same.
document.fonts.load(`1em ${THEME.fontFamily}`).catch(() => undefined)
presence.watch(document)
loadAhead()
const place = document.querySelector('#page')
if (place) createRoot(place).render(<App nonce={nonce} />)
