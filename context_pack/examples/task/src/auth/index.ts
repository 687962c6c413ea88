export { validateSession } from "./middleware";
export { login } from "./login";
