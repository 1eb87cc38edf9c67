import { MINIMUM_AGE, NICKNAME_MAX } from '#protocol/constants.ts'
import type { texts as english } from '../en/welcome.ts'
import type { Translation } from '../messages.ts'

export const texts: Translation<typeof english> = {
  'welcome.title': 'Tu perfil',
  'welcome.hint': 'Los demás ven tu apodo, nunca tu correo electrónico.',
  'welcome.email': 'Correo electrónico',
  'welcome.nickname': 'Apodo',
  'welcome.nickname.missing': 'Escribe un apodo',
  'welcome.nickname.too-long': `El apodo no puede tener más de ${NICKNAME_MAX} caracteres`,
  'welcome.nickname.letters': 'Solo se admiten letras y un único espacio entre los nombres',
  'welcome.birth': 'Fecha de nacimiento',
  'welcome.birth.format': 'DD/MM/AAAA',
  'welcome.birth.open': 'Abrir el calendario',
  'welcome.birth.fixed': 'No puedes cambiar tu fecha de nacimiento.',
  'welcome.birth.final': 'Después no podrás cambiarla.',
  'welcome.birth.missing': 'Indica tu fecha de nacimiento',
  'welcome.birth.future': 'La fecha de nacimiento no puede estar en el futuro',
  'welcome.birth.underage': `Debes tener ${MINIMUM_AGE} años o más.`,
  'welcome.gender': 'Género',
  'welcome.gender.boy': 'Chico',
  'welcome.gender.girl': 'Chica',
  'welcome.gender.others': 'Otro',
  'welcome.confirm': 'Confirmar',
  'welcome.calendar.loading': 'Cargando el calendario',
  'welcome.calendar.failed': 'No se ha podido cargar el calendario. Escribe el día aquí.',
  'welcome.calendar.title': 'Elige un día',
  'welcome.calendar.previous-month': 'Mes anterior',
  'welcome.calendar.next-month': 'Mes siguiente',
  'welcome.calendar.month': 'Mes',
  'welcome.calendar.year': 'Año',
  'welcome.calendar.earlier-years': 'Años anteriores',
  'welcome.calendar.later-years': 'Años posteriores',
  'welcome.calendar.close': 'Cerrar',
  'welcome.consent.title': '¡Cuídate y disfruta!',
  'welcome.consent.risk':
    'Te conectaremos al azar y de forma anónima con desconocidos, y es posible que veas contenido inapropiado. No compartas información personal.',
  'welcome.consent.cookies':
    'Usamos cookies que mantienen tu sesión abierta. Las de publicidad y análisis solo se guardan si tú lo permites.',
  'welcome.consent.agreement': `Al pulsar Aceptar confirmas que tienes ${MINIMUM_AGE} años o más, que entiendes los riesgos y que aceptas nuestra <privacy>política de privacidad</privacy>.`,
  'welcome.consent.birth':
    'Has dejado la fecha de nacimiento que te propusimos. ¿De verdad naciste el {day}? Después no podrás cambiarla. Al pulsar Aceptar la confirmas.',
  'welcome.consent.correct-birth': 'Cambiar la fecha de nacimiento',
  'welcome.consent.back': 'Volver',
  'welcome.consent.accept': 'Aceptar',
  'welcome.consent.saving': 'Creando el perfil...',
}
