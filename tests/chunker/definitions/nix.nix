# A cart.
{ lib, config, pkgs, ... }:
with lib;
let
  cfg = config.programs.cart;
  # All lines.
  total = lines: tax: lines + tax;
  limit = 9;
  inherit (lib) mkOption;
in {
  meta.maintainers = [ ];
  options.programs.cart = {
    enable = mkEnableOption "cart";
    lines = mkOption { type = types.int; default = 1; };
  };
  config = mkIf cfg.enable {
    home.packages = [ cfg.package ];
  };
  fn = { a, b ? 1 }: a;
}
