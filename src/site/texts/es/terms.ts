import { MINIMUM_AGE, PRODUCT_NAME, REVIEW_DAYS } from '#protocol/constants.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/terms.ts'

export const texts: Translation<typeof english> = {
  'terms.lead': 'Estas son las normas que aceptas al registrarte. Son breves a propósito: léelas todas, por favor.',
  'terms.adults': 'Solo para adultos',
  'terms.adults.text': `Debes tener ${MINIMUM_AGE} años o más. Calculamos tu edad a partir de la fecha de nacimiento que indicas, y después no puedes cambiarla; un moderador puede corregir un error. Los menores quedan expulsados para siempre.`,
  'terms.rules': 'Normas de la comunidad',
  'terms.rules.respect': 'Respeta a los demás. El acoso, el hostigamiento y el discurso de odio llevan a la expulsión.',
  'terms.rules.pressure': 'No discrimines y no presiones a nadie para que haga nada.',
  'terms.rules.explicit':
    'Nada de contenido explícito sin consentimiento. El contenido para adultos u ofensivo lleva a la expulsión inmediata.',
  'terms.rules.spam': 'Nada de spam ni de inundar el chat.',
  'terms.rules.impersonate': 'No te hagas pasar por otra persona.',
  'terms.rules.record': 'No grabes ni compartas un chat sin el consentimiento de la otra persona.',
  'terms.rules.fraud':
    'Las estafas y los fraudes llevan a la expulsión. Las actividades ilegales se comunican a las autoridades.',
  'terms.safe': 'Cuídate',
  'terms.safe.share':
    'No compartas tu nombre real, tu dirección, tu teléfono, tu correo electrónico ni tus cuentas en redes sociales.',
  'terms.safe.passwords': 'No compartas nunca contraseñas ni datos bancarios.',
  'terms.safe.careful': 'Las conversaciones son anónimas, pero ten cuidado: no sabes quién está al otro lado.',
  'terms.safe.leave': 'Sal del chat enseguida si no te sientes a salvo, y denuncia a la persona.',
  'terms.safe.meet': 'No quedes con desconocidos en la vida real.',
  'terms.reports': 'Denuncias, suspensiones y recursos',
  'terms.reports.steps': `Puedes denunciar a la persona con la que hablas. Tras varias denuncias, una cuenta recibe primero un aviso y después una suspensión temporal. Desde el panel, una cuenta suspendida puede presentar un recurso; decidimos en un plazo de ${REVIEW_DAYS} días y te comunicamos el resultado.`,
  'terms.reports.block':
    'Los incumplimientos repetidos llevan a un bloqueo permanente. No intentes saltarte una expulsión: quien reincide queda bloqueado para siempre, con todas las cuentas que abra.',
  'terms.reports.anybody':
    'Quien aparezca en una imagen íntima sin su consentimiento, o sufra una suplantación, puede <report>denunciarlo sin tener cuenta</report>. Un moderador responde en 48 horas, o en 7 días si es una suplantación. El <transparency>informe de transparencia</transparency> muestra en números qué se denunció y se decidió.',
  'terms.responsibility': 'Tu responsabilidad',
  'terms.responsibility.text': `Eres responsable de lo que dices, muestras y haces en ${PRODUCT_NAME}. Las personas se conectan al azar; puedes encontrarte con contenido que te parezca inapropiado, y participas por tu cuenta y riesgo.`,
  'terms.account': 'Tu cuenta',
  'terms.account.text':
    'Inicias sesión con una cuenta de {providers} que es tuya. Una persona, una cuenta. No dejes que nadie más acceda a ella; lo que se haga con tu cuenta cuenta como hecho por ti.',
  'terms.moderation': 'Moderación',
  'terms.moderation.checks.on':
    'Para que se cumplan las normas, un programa examina las imágenes de la cámara en el panel.',
  'terms.moderation.checks.off': 'Ahora mismo ningún programa examina lo que muestran las imágenes de la cámara.',
  'terms.moderation.checks.unknown':
    'Para que se cumplan las normas, un programa puede examinar las imágenes de la cámara en el panel.',
  'terms.moderation.curtain.on':
    'En una llamada tu propio dispositivo mira las imágenes, si puede y no lo apagas, y oculta lo que pueda ser un desnudo. Se equivoca a veces, y a nadie se le denuncia ni se le castiga por lo que encuentra.',
  'terms.moderation.curtain.off': 'En una llamada ningún programa mira las imágenes.',
  'terms.moderation.curtain.unknown':
    'Puede que tu propio dispositivo mire las imágenes de una llamada y oculte lo que pueda ser un desnudo. Se equivoca a veces, y a nadie se le denuncia ni se le castiga por lo que encuentra.',
  'terms.moderation.text':
    'Cuando se denuncia a alguien, se envían a nuestros moderadores una imagen de lo que vio quien denuncia y otra de la cámara de la persona denunciada. El contenido señalado puede conservarse temporalmente como prueba. Los detalles están en nuestra <privacy>política de privacidad</privacy>.',
  'terms.service': 'El servicio',
  'terms.service.text': `${PRODUCT_NAME} se ofrece tal como es. Trabajamos para mantenerlo disponible, y podemos cambiar, limitar o retirar partes de él. No prometemos que vayas a encontrar a alguien ni que una llamada no se interrumpa nunca. Nada en estos términos limita los derechos que la ley te da y a los que no se puede renunciar.`,
  'terms.payments': 'Pagos',
  'terms.payments.text': `${PRODUCT_NAME} es gratis hoy. Si llegan funciones prémium, se pagarán a través de pasarelas de pago que cumplen la normativa, y nunca sin que tú lo pidas expresamente.`,
  'terms.changes': 'Cambios',
  'terms.changes.text':
    'Cuando cambian estos términos, cambia con ellos la fecha de arriba. Cada vez que inicias sesión te pedimos tu consentimiento antes de que sigas.',
  'terms.contact': 'Contacto',
  'terms.contact.text': 'Escribe a <contact/> sobre cualquier cosa de estos términos.',
}
