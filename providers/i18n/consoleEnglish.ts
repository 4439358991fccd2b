import { management } from './management.ts'

/** English texts of the provider console alone. */
export const consoleEnglish = { management }
