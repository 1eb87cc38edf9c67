import type { OnlineCounts } from '#protocol/online-counts.ts'
import type { UserEndpointGroup } from '../accounts/http/login.ts'
import type { CheckPicture } from '../accounts/rules/profile-ports.ts'
import type { Evidence } from '../moderation/rules/evidence.ts'
import type { Moderation } from '../moderation/rules/moderation.ts'
import type { SecurityLog } from '../operations/security-log.ts'
import { Background } from '../platform/background.ts'
import type { Platform } from '../platform/platform.ts'
import { type Classifier, createClassifier } from './classifier/classifier.ts'
import { MODEL_SIDE } from './classifier/classifier-messages.ts'
import { acceptDecoded, acceptSampled, createFrameIntake } from './frame-intake.ts'
import { frameRoutes } from './http/frame-routes.ts'
import { createFrameRecords } from './records/frame-records.ts'
import { createFrameLog } from './rules/frame-log.ts'
import { verdictOf } from './rules/frame-verdict.ts'
import { createFrameWatch, judgedLimits, judgedSchema, STAY_LIMITS, staySchema } from './rules/frame-watch.ts'
import { PRINT_SIDE } from './rules/picture-print.ts'

type Deps = {
  evidence: Pick<Evidence, 'keepFlagged' | 'addUpload'>
  recordFinding: Moderation['recordFinding']
  security: Pick<SecurityLog, 'record'>
  /** The program of the classifier process; undefined for the program with the model. */
  classifierProgram: URL | undefined
}

/** Judges stored profile pictures by the score that flags a camera frame. A refused picture makes no finding, and nothing is recorded. */
function createPictureCheck(
  { classify }: Classifier,
  { decode }: Platform['decoder'],
  flagScore: number,
): CheckPicture {
  return async (picture, accountId) => {
    const task = { task: 'view', bytes: picture, side: MODEL_SIDE } as const
    const view = await decode({ accountId, isInternal: true, task })
    const scores = view && (await classify(view.data))
    if (!scores) return 'unchecked'
    return verdictOf(scores, flagScore) === 'flagged' ? 'refused' : 'passed'
  }
}

/** Camera frames: their intake, the judgement of stays on the dashboard, and the classifier if the settings turn it on. */
export function composeFrames(platform: Platform, { evidence, recordFinding, security, classifierProgram }: Deps) {
  const { app, config, clock, database, decoder, createNotes, random } = platform
  const log = platform.log.child({ part: 'frames' })
  const { frames, signals } = database.records(createFrameRecords)
  const background = new Background(log, clock)
  const intake = createFrameIntake(decoder)
  const classifier = config.frameClassifier ? createClassifier({ clock, log, program: classifierProgram }) : null
  const watch = createFrameWatch({
    clock,
    policy: config.frameFlags,
    memory: {
      stays: createNotes('stay', STAY_LIMITS, staySchema),
      judged: createNotes('judged', judgedLimits(config.frameFlags), judgedSchema),
    },
    clean: async (upload, accountId) => (await intake.takeFrame(upload, { accountId, isInternal: true })).jpeg,
    classify: classifier?.classify ?? null,
    keepFlagged: evidence.keepFlagged,
    recordFinding(account, finding) {
      security.record({ event: 'frame-flagged', account })
      return recordFinding(account, finding)
    },
    signals,
    runInBackground: background.run.bind(background),
  })
  const frameLog = createFrameLog({
    records: frames,
    clock,
    fault: (error) => log.error({ err: error }, 'frames: arrivals were not recorded'),
  })
  const acceptFrame = classifier
    ? acceptDecoded(intake, MODEL_SIDE)
    : acceptSampled(intake, { random, side: PRINT_SIDE })
  app.addHook('onClose', async () => {
    await frameLog.stop()
    await classifier?.stop()
    await background.settled()
  })

  const endpoints =
    (onlineCounts: () => OnlineCounts): UserEndpointGroup =>
    (endpoint) =>
      frameRoutes(endpoint, {
        onlineCounts,
        frames,
        clock,
        takeFrame: intake.takeFrame,
        acceptFrame,
        frameLog,
        frameWatch: watch,
        keepUpload: evidence.addUpload,
      })
  const checkPicture = classifier && createPictureCheck(classifier, decoder, config.frameFlags.flagScore)
  return { watch, signals, counts: classifier?.counts ?? null, endpoints, checkPicture }
}
