import { MINIMUM_AGE, REVIEW_DAYS } from '#protocol/constants.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/dashboard.ts'

export const texts: Translation<typeof english> = {
  'dashboard.title': 'Panel',
  'dashboard.loading': 'Cargando tu panel',
  'dashboard.meet': 'Conoce a gente nueva',
  'dashboard.online': '{count, plural, one {persona en línea ahora} other {personas en línea ahora}}',
  'dashboard.online.unread': 'No se ha podido cargar cuánta gente está en línea. Lo volvemos a intentar.',
  'dashboard.unread.title': 'No se ha podido cargar el estado de tu cuenta',
  'dashboard.unread.text': 'Hasta que se cargue no puedes iniciar un videochat. Lo volvemos a intentar.',
  'dashboard.unread.again': 'Intentar de nuevo',
  'dashboard.unread.trying': 'Intentándolo de nuevo...',
  'dashboard.talking': '{count} hablando',
  'dashboard.start': 'Iniciar videochat',
  'dashboard.picture.black':
    'Tu imagen está negra y nadie te vería. Destapa la cámara, enciende una luz o elige otra cámara.',
  'dashboard.picture.still': 'Tu imagen no cambia nada. Si no muestras una imagen a propósito, elige otra cámara.',
  'dashboard.picture.looped': 'Tu imagen se repite. Pueden tomarla por una grabación: elige otra cámara.',
  'dashboard.picture.virtual': 'Tu cámara es el programa {program}. Quien ve una grabación se va o la denuncia.',
  'dashboard.hint': 'Ahora mismo hay gente charlando. Saluda a alguien nuevo.',
  'dashboard.hint.first': 'Sé la primera persona: quien llegue después podrá conocerte.',
  'dashboard.hide-address': 'Ocultar mi dirección de red',
  'dashboard.hide-address.why':
    'Tu llamada pasa por nuestro servidor de retransmisión, así que la otra persona no puede ver tu dirección IP. La imagen puede ir un poco más lenta.',
  'dashboard.hide-address.unread':
    'No se ha podido leer lo que elegiste antes, así que por ahora ocultamos tu dirección. Puedes volver a elegir.',
  'dashboard.data-saver': 'Ahorro de datos',
  'dashboard.data-saver.why':
    'Para cuando hay pocos datos: una imagen más pequeña, y nada se carga antes de que haga falta. Las llamadas empiezan un poco más tarde.',
  'dashboard.who': 'A quién conozco',
  'dashboard.who.why': 'Di qué idiomas hablas y qué te gusta: conocerás primero a quienes lo comparten.',
  'dashboard.who.choose': 'Idiomas e intereses',
  'dashboard.who.failed': 'No se ha podido cargar. Inténtalo de nuevo.',
  'dashboard.camera.title': 'Activa la cámara y el micrófono para el videochat',
  'dashboard.camera.ask':
    'Para chatear hace falta acceso a la cámara y al micrófono. Elige la opción Permitir mientras se visita el sitio.',
  'dashboard.camera.ask.short': 'El chat necesita acceso a la cámara y al micrófono. Elige Permitir.',
  'dashboard.camera.ask.firefox':
    'El chat necesita acceso a la cámara y al micrófono. Marca Recordar esta decisión y elige Permitir.',
  'dashboard.camera.waiting': 'Esperando a tu cámara',
  'dashboard.camera.try-again': 'Intentar de nuevo',
  'dashboard.camera.allow-picture':
    'El navegador pide permiso para la cámara y el micrófono; está marcada la respuesta Permitir mientras se visita el sitio.',
  'dashboard.camera.allow-picture.short':
    'El navegador pide la cámara y el micrófono; la respuesta Permitir está marcada.',
  'dashboard.camera.allow': 'Permitir mientras se visita el sitio',
  'dashboard.camera.allow.short': 'Permitir',
  'dashboard.camera.reset-picture':
    'Ajustes del sitio junto a la dirección de la página: la cámara y el micrófono se activan y luego se restablecen.',
  'dashboard.camera.reset-picture.firefox':
    'La cámara tachada junto a la dirección; debajo se quita el bloqueo de la cámara y del micrófono.',
  'dashboard.camera.reset-picture.safari':
    'Los ajustes de este sitio web, abiertos desde el menú Safari: la cámara y el micrófono están en Permitir.',
  'dashboard.camera.reset-picture.iphone':
    'El menú aA junto a la dirección con Ajustes del sitio web marcado: la cámara y el micrófono están permitidos.',
  'dashboard.camera.reset-picture.samsung':
    'Los permisos tras el candado junto a la dirección: la cámara y el micrófono están activados.',
  'dashboard.camera.reset-picture.ios-app':
    'Los ajustes de este navegador en la app Ajustes: la cámara y el micrófono están activados.',
  'dashboard.camera.settings.safari': 'Ajustes para este sitio web',
  'dashboard.camera.settings.iphone': 'Ajustes del sitio web',
  'dashboard.camera.settings.samsung': 'Permisos',
  'dashboard.camera.reset': 'Restablecer permisos',
  'dashboard.trouble.denied.steps':
    'Abre los ajustes del sitio junto a la dirección, permite la cámara y el micrófono, y vuelve aquí.',
  'dashboard.trouble.denied.steps.firefox':
    'Elige la cámara tachada o el candado junto a la dirección, quita el bloqueo de la cámara y del micrófono, e inténtalo de nuevo.',
  'dashboard.trouble.denied.steps.safari':
    'Elige Ajustes para este sitio web en el menú Safari, pon la cámara y el micrófono en Permitir, y vuelve.',
  'dashboard.trouble.denied.steps.iphone':
    'Toca aA junto a la dirección, elige Ajustes del sitio web, permite la cámara y el micrófono, y vuelve.',
  'dashboard.trouble.denied.steps.samsung':
    'Toca el candado junto a la dirección, elige Permisos, activa la cámara y el micrófono, y vuelve.',
  'dashboard.trouble.denied.steps.ios-app':
    'Abre la app Ajustes, elige este navegador, activa la cámara y el micrófono, y vuelve.',
  'dashboard.trouble.dismissed': 'Tu navegador pidió la cámara y el micrófono, y no recibió permiso.',
  'dashboard.trouble.dismissed.steps': 'Inténtalo de nuevo y elige Permitir mientras se visita el sitio.',
  'dashboard.trouble.dismissed.steps.short': 'Inténtalo de nuevo y elige Permitir.',
  'dashboard.trouble.busy': 'Otro programa está usando tu cámara o tu micrófono.',
  'dashboard.trouble.busy.steps': 'Cierra otras videollamadas y aplicaciones de cámara, y después inténtalo de nuevo.',
  'dashboard.trouble.absent': 'No se ha encontrado ninguna cámara o ningún micrófono.',
  'dashboard.trouble.absent.steps': 'Conecta el aparato o enciéndelo. Esta página lo detecta sola.',
  'dashboard.trouble.insecure':
    'Esta página no se ha abierto con una conexión segura, por eso el navegador mantiene cerrados la cámara y el micrófono.',
  'dashboard.trouble.insecure.steps': 'Ábrela con una dirección que empiece por https.',
  'dashboard.trouble.system': 'Tu dispositivo no deja que el navegador use la cámara o el micrófono.',
  'dashboard.trouble.system.steps':
    'Da permiso al navegador en los ajustes de privacidad de tu dispositivo e inténtalo de nuevo.',
  'dashboard.warning.title': 'Un aviso sobre tu cuenta',
  'dashboard.warning.text':
    'Te han denunciado por no seguir las <guidelines>normas de la comunidad</guidelines>. Si sigues incumpliéndolas, tu cuenta puede quedar suspendida para siempre.',
  'dashboard.warning.frames':
    'Un control automático encontró contenido explícito en imágenes de tu cámara. Sigue las <guidelines>normas de la comunidad</guidelines>: si vuelves a incumplirlas, tu cuenta puede quedar suspendida para siempre.',
  'dashboard.warning.moderator':
    'Un moderador decidió que no seguiste las <guidelines>normas de la comunidad</guidelines>. Si sigues incumpliéndolas, tu cuenta puede quedar suspendida para siempre.',
  'dashboard.warning.late':
    'No revisamos tu recurso a tiempo, así que la suspensión ha terminado y queda una advertencia. Sigue las <guidelines>normas de la comunidad</guidelines>: si las incumples, tu cuenta puede quedar suspendida para siempre.',
  'dashboard.warning.other':
    'Sigue las <guidelines>normas de la comunidad</guidelines>: si las incumples, tu cuenta puede quedar suspendida para siempre.',
  'dashboard.appeal.title': 'Tu cuenta está suspendida temporalmente',
  'dashboard.appeal.text':
    'Te han denunciado por no seguir las <guidelines>normas de la comunidad</guidelines>. No puedes iniciar un videochat hasta que esto se resuelva.',
  'dashboard.appeal.frames':
    'Un control automático encontró contenido explícito en imágenes de tu cámara, y las <guidelines>normas de la comunidad</guidelines> no lo permiten. No puedes iniciar un videochat hasta que esto se resuelva.',
  'dashboard.appeal.moderator':
    'Un moderador decidió que no seguiste las <guidelines>normas de la comunidad</guidelines>. No puedes iniciar un videochat hasta que esto se resuelva.',
  'dashboard.appeal.other':
    'No puedes iniciar un videochat hasta que esto se resuelva. Lee las <guidelines>normas de la comunidad</guidelines>.',
  'dashboard.appeal.next': `Si crees que es un error, presenta un recurso. Lo revisamos en un plazo de ${REVIEW_DAYS} días.`,
  'dashboard.appeal.submit': 'Presentar recurso',
  'dashboard.appeal.submitting': 'Enviando...',
  'dashboard.appealed.title': 'Hemos recibido tu recurso',
  'dashboard.appealed.text': `Revisaremos tu caso en un plazo de ${REVIEW_DAYS} días y te avisaremos.`,
  'dashboard.review.title': 'Estamos revisando tu cuenta',
  'dashboard.review.text': `La han denunciado por no seguir las <guidelines>normas de la comunidad</guidelines>. La revisión termina en un plazo de ${REVIEW_DAYS} días; hasta entonces no puedes iniciar un videochat.`,
  'dashboard.review.frames': `Presentaste un recurso después de que un control automático encontrara contenido explícito en imágenes de tu cámara, que las <guidelines>normas de la comunidad</guidelines> no permiten. La revisión termina en un plazo de ${REVIEW_DAYS} días; hasta entonces no puedes iniciar un videochat.`,
  'dashboard.review.moderator': `Presentaste un recurso después de que un moderador decidiera que no seguiste las <guidelines>normas de la comunidad</guidelines>. La revisión termina en un plazo de ${REVIEW_DAYS} días; hasta entonces no puedes iniciar un videochat.`,
  'dashboard.review.other': `La revisión termina en un plazo de ${REVIEW_DAYS} días; hasta entonces no puedes iniciar un videochat. Lee las <guidelines>normas de la comunidad</guidelines>.`,
  'dashboard.blocked.title': 'Tu cuenta está suspendida para siempre',
  'dashboard.blocked.text':
    'El motivo son los incumplimientos repetidos de las <guidelines>normas de la comunidad</guidelines>. No puedes iniciar un videochat.',
  'dashboard.blocked.age': `La fecha de nacimiento que diste es la de una persona menor de ${MINIMUM_AGE} años, y los videochats son solo para adultos. No puedes iniciar ninguno.`,
  'dashboard.blocked.earlier-ban':
    'Ya se te suspendió antes para siempre, y eso también vale para una cuenta nueva. No puedes iniciar un videochat.',
  'dashboard.blocked.moderator':
    'Un moderador decidió que no seguiste las <guidelines>normas de la comunidad</guidelines>. No puedes iniciar un videochat.',
  'dashboard.blocked.other': 'No puedes iniciar un videochat. Lee las <guidelines>normas de la comunidad</guidelines>.',
}
