import { app } from './app.ts'
import { dashboard } from './dashboard.ts'
import { kit } from './kit.ts'
import { notifications } from './notifications.ts'

/** The part of the English catalogue that the shell and the dashboard need: it loads with the application. */
export const core = { app, dashboard, kit, notifications }
