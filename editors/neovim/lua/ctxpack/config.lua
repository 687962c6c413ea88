-- Every option with its default. `require("ctxpack").setup({ max_chars = 8000 })` changes some of them.
local M = {}

M.options = {
  command = nil, -- the binary and its first arguments, e.g. { "uvx", "--from", "ctxpack-code", "ctxpack" }; nil: looked for
  max_chars = 20000, -- size limit of a pack
  extra_args = {}, -- more options for every question, e.g. { "--no-docs" }
  open = "vsplit", -- how the window of a pack is opened
  quickfix = true, -- whether the quickfix window opens beside it
  register = "+", -- where :CtxPackCopy copies to, besides the unnamed register
}

function M.setup(options)
  M.options = vim.tbl_extend("force", M.options, options or {})
end

return M
