import { app } from './app.ts'
import { dashboard } from './dashboard.ts'
import { kit } from './kit.ts'
import { notifications } from './notifications.ts'

/** English texts of the shell and the dashboard, loaded with the application. */
export const core = { app, dashboard, kit, notifications }
