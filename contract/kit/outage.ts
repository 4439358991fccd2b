/** The code of refusals while the server cannot reach its database: what was asked may be repeated. */
export const DATABASE_UNAVAILABLE = 'database_unavailable'
