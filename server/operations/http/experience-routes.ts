import { VALID } from '#protocol/constants.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import { EXPERIENCE_RATE } from '../../platform/http/rate-limits.ts'
import type { CountryLabels } from '../rules/country-labels.ts'
import { EXPERIENCES, type MayAdd } from '../rules/daily-limit.ts'
import type { Metrics } from '../rules/metrics.ts'
import type { Countries } from '../rules/ports.ts'

type ExperienceHttp = {
  countries: Countries
  labels: CountryLabels
  metrics: Pick<Metrics, 'experience'>
  mayAdd: MayAdd
}

/** Counts what browsers measured. The country is that of the login session, which a browser cannot name in the report. */
export function experienceRoutes(endpoint: UserEndpoint, { countries, labels, metrics, mayAdd }: ExperienceHttp): void {
  endpoint(
    'addExperience',
    async ({ input, caller: { account, sessionId }, request }) => {
      if (!(await mayAdd(EXPERIENCES, { accountId: account.id, address: request.ip }, 1))) return { message: VALID }
      metrics.experience(input, labels.labelOf(await countries.of(sessionId), account.id))
      return { message: VALID }
    },
    EXPERIENCE_RATE,
  )
}
