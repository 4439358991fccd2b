import raEnglish from 'ra-language-english'

import { app } from './app.ts'
import { dashboard } from './dashboard.ts'
import { kit } from './kit.ts'
import { signIn } from './sign-in.ts'

/** The complete English catalogue: one part per noun, beside react-admin's own. */
export const english = { ...raEnglish, app, dashboard, kit, signIn }
